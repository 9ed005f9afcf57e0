import {
  AdkError,
  CALL_DELIVERIES,
  everyQueueRequest,
  openQueueSchema,
  pointerBounds,
  type QueueBounds,
  queueOfRequest,
} from '@skein/contracts';
import { ensureConsumer, type MessagingConnection, type RpcServer, serveRpc } from '@skein/messaging';
import { RPC_QUEUE } from '../sessions/session.rpc';

/**
 * `rpc.queue.>`: makes the consumers of runners and workers, who may not. All who take from one share what it has: how long its
 * messages are waited for, and how often they come, is not the word of one of them.
 */
export class QueueRpcServer {
  #server: RpcServer | undefined;

  constructor(
    private readonly connection: MessagingConnection,
    private readonly ackWaitMs: number,
  ) {}

  start(): void {
    this.#server = serveRpc(this.connection, everyQueueRequest, {
      queue: RPC_QUEUE,
      schema: openQueueSchema,
      handler: (_wish, subject) => this.#open(subject),
    });
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  async #open(subject: string): Promise<QueueBounds> {
    const queue = queueOfRequest(subject);
    if (!queue) throw new AdkError('not_found', 'queue.unknown', `there is no queue ${subject}`);
    const bounds =
      queue.stream === 'TOOLS' ? { ackWaitMs: this.ackWaitMs, maxDeliver: CALL_DELIVERIES } : pointerBounds;
    await ensureConsumer(this.connection, { ...queue, ...bounds });
    return bounds;
  }
}
