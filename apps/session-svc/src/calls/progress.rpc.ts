import {
  subjects,
  type CallProgress,
  type ToolProgress,
  toolProgressSchema,
  workReplySchema,
} from '@skein/contracts';
import { type MessagingConnection, type RpcClient, type RpcServer, serveRpc } from '@skein/messaging';
import { type CallPasses } from './call-passes';
import { type InvocationOwners } from '../sessions/invocation-owners';
import { RPC_QUEUE } from '../sessions/session.rpc';

export interface ProgressParts {
  readonly connection: MessagingConnection;
  readonly rpc: RpcClient;
  readonly owners: InvocationOwners;
  readonly passes: CallPasses;
}

/** What is not shown by then is old. */
const ANSWER_MS = 1_000;

/** Brings what workers tell of the calls they run to the runner that waits for them. Nobody is answered; it may be lost. */
export class ProgressServer {
  #server: RpcServer | undefined;

  constructor(private readonly parts: ProgressParts) {}

  start(): void {
    this.#server = serveRpc(this.parts.connection, subjects.everyProgress, {
      queue: RPC_QUEUE,
      schema: toolProgressSchema,
      handler: (progress) => this.#forward(progress),
    });
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  /** To the runner this process saw last; where that one does not wait for it, to the one the database names. */
  async #forward(told: ToolProgress): Promise<void> {
    const { owners, passes } = this.parts;
    // Of a call that left ahead it counts once that is stored.
    if (passes.assertGenuine(told) === 'ahead' && (await passes.isStored(told.ticket)) !== true) return;
    const { invocationId, ticket, attempt, n, value } = told;
    const progress = { invocationId, dispatchId: ticket.dispatchId, attempt, n, value };
    const seen = owners.lastSeen(invocationId);
    if (seen !== undefined && (await this.#tell(seen, progress))) return;
    const owner = await owners.read(invocationId);
    if (owner !== undefined && owner !== seen) await this.#tell(owner, progress);
  }

  /** Whether it was taken; a runner of an earlier version takes none. */
  async #tell(runnerId: string, progress: CallProgress): Promise<boolean> {
    try {
      const { disposition } = await this.parts.rpc.request(
        subjects.work(runnerId),
        workReplySchema,
        { kind: 'progress', progress },
        { timeoutMs: ANSWER_MS },
      );
      return disposition === 'applied';
    } catch {
      return false;
    }
  }
}
