import { randomUUID } from 'node:crypto';
import { bucketOf, type Handover, isTransient, type SessionKey, subjects } from '@skein/contracts';
import { type MessagingConnection, publishWork, type RpcClient, withTraceparent } from '@skein/messaging';
import { type Logger, workIdsOf } from '@skein/platform';
import {
  type ClaimedRun,
  claimInvocation,
  type HeldClaim,
  readHandover,
  standInLine,
  type StorePool,
  unclaimInvocation,
} from '@skein/session-store';
import { type InvocationOwners } from './invocation-owners';
import { queueSpan } from './queue-span';
import { type Answer, RunnerAnswers } from './runner-answers';
import { type RunnerDirectory } from './runner-directory';
import { tellRunner } from './tell-runner';
import { type ServiceMetrics } from '../service-metrics';
import { Tasks } from '../tasks';

export interface HandOverParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly rpc: RpcClient;
  readonly directory: RunnerDirectory;
  readonly owners: InvocationOwners;
  readonly metrics: Pick<ServiceMetrics, 'guesses'>;
  readonly leaseMs: number;
  readonly logger: Logger;
}

export interface QueuedInvocation {
  readonly invocationId: string;
  /** Of its last claim; 0 when it never was. */
  readonly epoch: number;
  readonly key?: SessionKey;
}

interface NotTaken {
  readonly runnerId: string;
  readonly answer: Answer;
  /** When its claim was made at the latest, by the clock of `performance.now()`. */
  readonly claimedByMs: number;
}

/** Brings claimed and queued invocations to runners. What goes wrong here, the sweeper does again. */
export class HandOver {
  readonly #tasks: Tasks;
  readonly #answers: RunnerAnswers;

  constructor(private readonly parts: HandOverParts) {
    this.#tasks = new Tasks(parts.logger);
    this.#answers = new RunnerAnswers(parts);
  }

  /**
   * Offers an invocation that is claimed for this runner; taken back and pointed to when it will not have it. Its claim may be on
   * its way to the disk: `stored` settles when that is known, and rejects when there is none.
   */
  offer(handover: Handover, runnerId: string, stored: Promise<unknown>): void {
    this.parts.directory.handedTo(runnerId, handover);
    this.#tasks.run('hand over', () => this.#offer(handover, runnerId, stored), handover);
  }

  /**
   * Has a runner begin on a claim that is still to be made (ADR 40). Whatever `stored` says was claimed is that runner's: where it
   * is not what the runner has begun on, it is offered that.
   */
  guess(
    handover: Handover,
    runnerId: string,
    stored: Promise<{ readonly handover: Handover | undefined }>,
  ): void {
    this.parts.directory.handedTo(runnerId, handover);
    this.#tasks.run('guess', () => this.#guess(handover, runnerId, stored), handover);
  }

  /** The same for one whose claim was part of an append. */
  offerClaimed(claim: HeldClaim): void {
    const offer = async (): Promise<void> => {
      const run = await readHandover(this.parts.pool, claim);
      // Lost meanwhile: whoever took it back hands it over.
      if (run) await this.#offerRun(run, claim.runnerId);
    };
    this.#tasks.run('hand over the next', offer, claim);
  }

  /** Finds a runner for a queued invocation; a pointer waits for one when none has credit now. */
  dispatch(queued: QueuedInvocation, exceptRunner?: string): void {
    const { key, invocationId } = queued;
    this.#tasks.run('dispatch', () => this.#dispatch(queued, exceptRunner), { invocationId, ...key });
  }

  /** A message in RUNS that says that one more waits for a runner; `epoch` is that of its last claim. */
  point(invocationId: string, epoch: number): void {
    this.#tasks.run('point', () => this.#point(invocationId, epoch), { invocationId });
  }

  async settled(): Promise<void> {
    await this.#tasks.settled();
  }

  async #dispatch({ invocationId, epoch, key }: QueuedInvocation, exceptRunner?: string): Promise<void> {
    const { pool, directory, leaseMs } = this.parts;
    const runnerId = directory.pick(key, exceptRunner);
    if (runnerId === undefined) {
      await standInLine(pool, invocationId);
      return this.#point(invocationId, epoch);
    }
    const run = await claimInvocation(pool, { invocationId, runnerId, claimId: randomUUID() }, leaseMs);
    // Claimed by somebody else meanwhile, or not the next of its session.
    if (!run) {
      directory.unpicked(runnerId);
      return;
    }
    directory.handedTo(runnerId, run.handover);
    await this.#offerRun(run, runnerId);
  }

  /** In the trace of the request that is waited for, whoever came to claim it. */
  async #offerRun(run: ClaimedRun, runnerId: string): Promise<void> {
    const { handover } = run;
    queueSpan(run);
    await withTraceparent(handover.traceparent, () => this.#offer(handover, runnerId));
  }

  async #offer(handover: Handover, runnerId: string, stored?: Promise<unknown>): Promise<void> {
    // Before the answer, because a quick tool's result may be here before it.
    this.parts.owners.seen(handover.invocationId, runnerId);
    const claimedByMs = performance.now();
    const answer = await this.#answers.to({ kind: 'run', handover }, runnerId);
    if (answer === 'accepted') return;
    // Before that there is nothing to take back, and where it failed there never is.
    if (await isStored(stored)) await this.#takeBack(handover, { runnerId, answer, claimedByMs });
  }

  async #guess(
    handover: Handover,
    runnerId: string,
    stored: Promise<{ readonly handover: Handover | undefined }>,
  ): Promise<void> {
    const { owners, metrics } = this.parts;
    owners.seen(handover.invocationId, runnerId);
    const [answer, outcome] = await Promise.all([
      this.#answers.to({ kind: 'guess', handover }, runnerId),
      outcomeOf(stored),
    ]);
    // The claim may have been made all the same: whether its lease is held decides.
    if (!outcome) return;
    const { claimed, atMs } = outcome;
    const isRight = isSameClaim(handover, claimed);
    const mayHaveBegun = answer === 'accepted' || answer === 'unanswered';
    const judged = isRight ? 'right' : 'wrong';
    metrics.guesses.increment({ outcome: mayHaveBegun ? judged : 'unbegun' });
    if (mayHaveBegun && !isRight) await this.#withdraw(handover, runnerId);
    if (!claimed || (isRight && answer === 'accepted')) return;
    if (!isRight || answer === 'unknown') await this.#offer(claimed, runnerId);
    else await this.#takeBack(claimed, { runnerId, answer, claimedByMs: atMs });
  }

  /**
   * So that the run of nothing asks no more of models; answered once it has left its place, which may be the one that its runner
   * has for what was claimed instead. One that does not hear of it finds that it has no lease.
   */
  async #withdraw(handover: Handover, runnerId: string): Promise<void> {
    const { invocationId, epoch } = handover;
    this.parts.owners.forget(invocationId);
    const told = { runnerId, what: 'a wrong guess', ids: workIdsOf(handover) };
    await tellRunner(this.parts, told, { kind: 'withdrawn', invocationId, epoch });
  }

  async #takeBack(handover: Handover, { runnerId, answer, claimedByMs }: NotTaken): Promise<void> {
    const { pool, owners, leaseMs, logger } = this.parts;
    const { invocationId, epoch } = handover;
    // Raises the epoch, so a runner that took it without our hearing of it stores nothing; one that has stored
    // something already keeps it, and so does one that renewed its lease while we waited for its word.
    const unrenewedMs =
      answer === 'unanswered' ? Math.floor(leaseMs - (performance.now() - claimedByMs)) : undefined;
    if (!(await unclaimInvocation(pool, invocationId, epoch, unrenewedMs))) return;
    owners.forget(invocationId);
    logger.info({ ...workIdsOf(handover), runnerId, epoch, answer }, 'not taken, queued again');
    await this.#point(invocationId, epoch);
  }

  /**
   * One for each time it was queued: as many pointers as wait, whichever of them is claimed for which. The sweep points
   * again every period, and the stream drops the repeats, but only for the two minutes it remembers an id: an invocation
   * that waits for longer has several pointers. Whoever takes the later ones is told by its claim that there is nothing
   * left.
   */
  async #point(invocationId: string, epoch: number): Promise<void> {
    const subject = subjects.run(bucketOf(invocationId));
    await publishWork(
      this.parts.connection,
      subject,
      { invocationId },
      { msgId: `${invocationId}.${epoch}` },
    );
  }
}

/** What a submit came to, and by when; nothing where its claim may or may not have been made. */
async function outcomeOf(
  stored: Promise<{ readonly handover: Handover | undefined }>,
): Promise<{ readonly claimed: Handover | undefined; readonly atMs: number } | undefined> {
  try {
    const { handover } = await stored;
    return { claimed: handover, atMs: performance.now() };
  } catch (error) {
    return isTransient(error) ? undefined : { claimed: undefined, atMs: performance.now() };
  }
}

export function isSameClaim(one: Handover, other: Handover | undefined): boolean {
  return one.invocationId === other?.invocationId && one.epoch === other.epoch;
}

function isStored(stored: Promise<unknown> | undefined): Promise<boolean> {
  return Promise.resolve(stored).then(
    () => true,
    () => false,
  );
}
