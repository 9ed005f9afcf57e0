import { subjects, type ToolResultMessage, type WorkReply, workReplySchema } from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { type InvocationOwners } from './invocation-owners';

type Disposition = WorkReply['disposition'] | 'no-owner';

/** Longer than a runner takes to store the response event; after it the result is stored on its own. */
const ANSWER_MS = 1_000;

/** Brings a result to whoever runs its invocation. */
export class ResultForwarder {
  constructor(
    private readonly rpc: RpcClient,
    private readonly owners: InvocationOwners,
  ) {}

  /** To the runner this process saw last; where that one knows nothing of it, to the one the database names. */
  async forward(
    result: ToolResultMessage,
  ): Promise<{ disposition: Disposition; runnerId: string | undefined }> {
    const seen = this.owners.lastSeen(result.invocationId);
    if (seen !== undefined) {
      const disposition = await this.ask(seen, result);
      if (disposition !== 'unknown') return { disposition, runnerId: seen };
    }
    const owner = await this.owners.read(result.invocationId);
    if (owner === undefined) return { disposition: 'no-owner', runnerId: undefined };
    if (owner === seen) return { disposition: 'unknown', runnerId: seen };
    return { disposition: await this.ask(owner, result), runnerId: owner };
  }

  /**
   * For a result that was stored without its owner: whoever claimed the invocation just before that has read its open
   * calls without it, and would have it only from the next sweep. Answers the epoch that has it now.
   */
  async forwardStored(result: ToolResultMessage): Promise<number | undefined> {
    const owner = await this.owners.readClaim(result.invocationId);
    if (owner === undefined) return undefined;
    return (await this.ask(owner.runnerId, result)) === 'held' ? owner.epoch : undefined;
  }

  /** `unknown` also for a runner that does not answer: whether it stored the result shows when it is stored again. */
  async ask(runnerId: string, result: ToolResultMessage): Promise<WorkReply['disposition']> {
    try {
      const message = { kind: 'result', result };
      const reply = await this.rpc.request(subjects.work(runnerId), workReplySchema, message, {
        timeoutMs: ANSWER_MS,
      });
      return reply.disposition;
    } catch {
      return 'unknown';
    }
  }
}
