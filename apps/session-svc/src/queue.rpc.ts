import {
  AdkError,
  everyQueueRequest,
  type OpenQueue,
  openQueueSchema,
  queueOfRequest,
} from '@skein/contracts';
import { ensureConsumer, type MessagingConnection, type RpcServer, serveRpc } from '@skein/messaging';
import { RPC_QUEUE } from './session.rpc';

/** `rpc.queue.>`: makes the consumers of runners and workers, who may not. */
export class QueueRpcServer {
  #server: RpcServer | undefined;

  constructor(private readonly connection: MessagingConnection) {}

  start(): void {
    this.#server = serveRpc(this.connection, everyQueueRequest, {
      queue: RPC_QUEUE,
      schema: openQueueSchema,
      handler: (bounds, subject) => this.#open(subject, bounds),
    });
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  async #open(subject: string, bounds: OpenQueue): Promise<void> {
    const queue = queueOfRequest(subject);
    if (!queue) throw new AdkError('not_found', 'queue.unknown', `there is no queue ${subject}`);
    await ensureConsumer(this.connection, { ...queue, ...bounds });
  }
}
