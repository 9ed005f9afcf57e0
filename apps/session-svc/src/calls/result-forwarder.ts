import { subjects, type ToolResultMessage, type WorkReply, workReplySchema } from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { type InvocationOwners } from '../sessions/invocation-owners';

/** Where a result has got to. `epoch` is that of the claim under which it is held. */
export interface Forwarded {
  readonly disposition: WorkReply['disposition'] | 'no-owner';
  readonly epoch?: number | undefined;
}

/** Longer than a runner takes to store the response event; after it the result is stored on its own. */
const ANSWER_MS = 1_000;

/** Brings a result to whoever runs its invocation. */
export class ResultForwarder {
  constructor(
    private readonly rpc: RpcClient,
    private readonly owners: InvocationOwners,
  ) {}

  /** To the runner this process saw last; where that one knows nothing of it, to the one the database names. */
  async forward(result: ToolResultMessage): Promise<Forwarded> {
    const seen = this.owners.lastSeen(result.invocationId);
    if (seen !== undefined) {
      const forwarded = await this.ask(seen, result);
      if (forwarded.disposition !== 'unknown') return forwarded;
    }
    const owner = await this.owners.read(result.invocationId);
    if (owner === undefined) return { disposition: 'no-owner' };
    if (owner === seen) return { disposition: 'unknown' };
    return this.ask(owner, result);
  }

  /**
   * For a result that was stored without its owner: whoever claimed the invocation just before that has read its open
   * calls without it, and would have it only from the next sweep.
   */
  async forwardStored(result: ToolResultMessage): Promise<Forwarded> {
    const owner = await this.owners.read(result.invocationId);
    return owner === undefined ? { disposition: 'no-owner' } : this.ask(owner, result);
  }

  /** `unknown` also for a runner that does not answer: whether it stored the result shows when it is stored again. */
  async ask(runnerId: string, result: ToolResultMessage): Promise<WorkReply> {
    try {
      const message = { kind: 'result', result };
      return await this.rpc.request(subjects.work(runnerId), workReplySchema, message, {
        timeoutMs: ANSWER_MS,
      });
    } catch {
      return { disposition: 'unknown' };
    }
  }
}
