import {
  type CallProgress,
  type Handover,
  type ToolResultMessage,
  type WorkMessage,
  type WorkReply,
} from '@skein/contracts';
import { type SessionRpc } from '@skein/session-client';
import { type Absence } from '../lease/absence';
import { type LeaseKeeper } from '../lease/lease-keeper';
import { ActiveRun } from '../run/active-run';
import { type ActiveRuns } from '../run/active-runs';
import { type SessionCache } from '../run/session-cache';
import { isStoredInTime } from './stored-in-time';
import { type TakenResults } from './taken-results';

type Written = Extract<WorkMessage, { kind: 'written' }>;
type Withdrawn = Extract<WorkMessage, { kind: 'withdrawn' }>;
type Cancel = Extract<WorkMessage, { kind: 'cancel' }>;

/** session-svc waits 1 s; the answer has to be there before. */
const APPLY_BOUND_MS = 800;

export interface WorkConsumerParts {
  readonly runnerId: string;
  readonly runs: ActiveRuns;
  readonly taken: Pick<TakenResults, 'isApplied'>;
  readonly rpc: Pick<SessionRpc, 'renew'>;
  readonly leases: Pick<LeaseKeeper, 'enforce'>;
  readonly absence: Pick<Absence, 'wasLately'>;
  readonly cache: Pick<SessionCache, 'reaches'>;
  readonly work: (run: ActiveRun) => Promise<void>;
}

/** Answers what session-svc has for this runner: a claimed invocation, a tool result, another's write, a cancel. */
export class WorkConsumer {
  constructor(private readonly parts: WorkConsumerParts) {}

  async handle(message: WorkMessage): Promise<WorkReply> {
    // Read late, a result would have a run go on that is another runner's by now, and ask its model again.
    this.parts.leases.enforce();
    switch (message.kind) {
      case 'run':
        return { disposition: (await this.#begin(message.handover)) ? 'accepted' : 'refused' };
      case 'guess':
        return { disposition: this.#beginGuessed(message.handover) };
      case 'withdrawn':
        return { disposition: await this.#takeWithdrawn(message) };
      case 'result':
        return this.#takeResult(message.result);
      case 'progress':
        return { disposition: this.#takeProgress(message.progress) };
      case 'written':
        return { disposition: await this.#takeWritten(message) };
      case 'cancel':
        return { disposition: this.#takeCancel(message) };
    }
  }

  async #begin(handover: Handover): Promise<boolean> {
    const { runs, absence, work } = this.parts;
    // Read late, the claim may be another runner's by now: to find out after the first step would ask the model twice.
    if (absence.wasLately() && !(await this.#isStillOurs(handover))) return false;
    return runs.begin(new ActiveRun(handover), work);
  }

  /**
   * Only where the session's log is here as the guess has it: whatever another has done with it since is in no log of this
   * process. Read late, there is no claim yet to ask for: it is handed over again once there is.
   */
  #beginGuessed(handover: Handover): WorkReply['disposition'] {
    const { runs, absence, cache, work } = this.parts;
    if (absence.wasLately() || !cache.reaches(handover.sessionUid, handover.lastSeq)) return 'unknown';
    return runs.begin(new ActiveRun(handover, true), work) ? 'accepted' : 'refused';
  }

  /** Only of what was begun by a guess: a claim is the database's to take away. */
  async #takeWithdrawn({ invocationId, epoch }: Withdrawn): Promise<WorkReply['disposition']> {
    const run = this.parts.runs.get(invocationId);
    if (run?.isGuessed !== true || run.handover.epoch !== epoch) return 'unknown';
    run.stop('its claim was guessed, and is another');
    await this.parts.runs.ended(run);
    return 'accepted';
  }

  /** Renewed, it cannot be taken back any more for want of an answer. */
  async #isStillOurs({ invocationId, epoch }: Handover): Promise<boolean> {
    const { rpc, runnerId } = this.parts;
    const { held } = await rpc.renew({ runnerId, leases: [{ invocationId, epoch }] });
    return held.includes(invocationId);
  }

  #takeProgress(progress: CallProgress): WorkReply['disposition'] {
    const run = this.parts.runs.get(progress.invocationId);
    return run?.pendingCalls.progress(progress) === true ? 'applied' : 'unknown';
  }

  #takeCancel({ invocationId, epoch }: Cancel): WorkReply['disposition'] {
    const run = this.parts.runs.get(invocationId);
    if (run?.handover.epoch !== epoch) return 'unknown';
    run.cancel();
    return 'accepted';
  }

  async #takeWritten({ invocationId, epoch, lastSeq }: Written): Promise<WorkReply['disposition']> {
    const run = this.parts.runs.get(invocationId);
    if (run?.foreignEvents === undefined || run.handover.epoch !== epoch) return 'unknown';
    await run.foreignEvents.load(lastSeq);
    return 'applied';
  }

  /**
   * `applied` only once the response event is stored: session-svc forgets the result after that. While siblings of the
   * turn are open it is kept there instead, so that a crash here cannot lose it; under which claim it is held here tells
   * whether the owner of then has to be given it again.
   */
  async #takeResult(result: ToolResultMessage): Promise<WorkReply> {
    const { dispatchId } = result.ticket;
    if (this.parts.taken.isApplied(result)) return { disposition: 'applied' };
    const run = this.parts.runs.get(result.invocationId);
    // Of a run that was stopped nothing more is stored: what it holds would be kept from the next owner.
    const which = run?.signal.aborted ? undefined : run?.pendingCalls.settle(result);
    if (!run || which === undefined) return { disposition: 'unknown' };
    const held = { disposition: 'held', epoch: run.handover.epoch } as const;
    // The store knows what became of the first one, and counts this one.
    if (which === 'repeat') return held;
    if (run.pendingCalls.hasOpenSiblings(dispatchId)) return held;
    if (await isStoredInTime(run, dispatchId, APPLY_BOUND_MS)) return { disposition: 'applied' };
    return run.signal.aborted ? { disposition: 'unknown' } : held;
  }
}
