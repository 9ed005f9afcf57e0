import { type ToolResultMessage, type WorkMessage, type WorkReply } from '@skein/contracts';
import { ActiveRun } from '../run/active-run';
import { type ActiveRuns } from '../run/active-runs';

type Written = Extract<WorkMessage, { kind: 'written' }>;

/** session-svc waits 1 s; the answer has to be there before. */
const APPLY_BOUND_MS = 800;

/** Answers what session-svc has for this runner: a claimed invocation, a tool result, or word of somebody else's write. */
export class WorkConsumer {
  constructor(
    private readonly runs: ActiveRuns,
    private readonly work: (run: ActiveRun) => Promise<void>,
  ) {}

  async handle(message: WorkMessage): Promise<WorkReply> {
    switch (message.kind) {
      case 'run':
        return {
          disposition: this.runs.begin(new ActiveRun(message.handover), this.work) ? 'accepted' : 'refused',
        };
      case 'result':
        return { disposition: await this.#takeResult(message.result) };
      case 'written':
        return { disposition: await this.#takeWritten(message) };
    }
  }

  async #takeWritten({ invocationId, epoch, lastSeq }: Written): Promise<WorkReply['disposition']> {
    const run = this.runs.get(invocationId);
    if (run?.foreignEvents === undefined || run.handover.epoch !== epoch) return 'unknown';
    await run.foreignEvents.load(lastSeq);
    return 'applied';
  }

  /**
   * `applied` only once the response event is stored: session-svc forgets the result after that. While siblings of the
   * turn are open it is kept there instead, so that a crash here cannot lose it.
   */
  async #takeResult(result: ToolResultMessage): Promise<WorkReply['disposition']> {
    const { dispatchId } = result.ticket;
    const run = this.runs.get(result.invocationId);
    if (!run?.pendingCalls.settle(result)) return 'unknown';
    if (run.pendingCalls.hasOpenSiblings(dispatchId)) return 'held';
    return (await isStoredInTime(run, dispatchId)) ? 'applied' : 'held';
  }
}

async function isStoredInTime(run: ActiveRun, dispatchId: string): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), APPLY_BOUND_MS)));
  const stored = run.pipeline?.whenApplied(dispatchId).then(
    () => true,
    // The unit was refused: whoever owns the session now finds the result in the store.
    () => false,
  );
  const isStored = await Promise.race([stored, late]);
  clearTimeout(timer);
  return isStored ?? false;
}
