import { randomUUID } from 'node:crypto';
import {
  bucketOf,
  type Handover,
  handoverPatienceMs,
  isTransient,
  type SessionKey,
  subjects,
  type WorkMessage,
  workReplySchema,
} from '@skein/contracts';
import {
  mayHaveArrived,
  type MessagingConnection,
  publishWork,
  type RpcClient,
  withTraceparent,
} from '@skein/messaging';
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
import { type RunnerDirectory } from './runner-directory';
import { Tasks } from '../tasks';

export interface HandOverParts {
  readonly pool: StorePool;
  readonly connection: MessagingConnection;
  readonly rpc: RpcClient;
  readonly directory: RunnerDirectory;
  readonly owners: InvocationOwners;
  readonly leaseMs: number;
  readonly logger: Logger;
}

export interface QueuedInvocation {
  readonly invocationId: string;
  /** Of its last claim; 0 when it never was. */
  readonly epoch: number;
  readonly key?: SessionKey;
}

/** A runner answers from memory; one that has not answered by now is busy with something else, and gets no more work. */
const PROMPT_MS = 200;
const TELL_MS = 500;

/** `unknown`: of a guess, it did not begin. */
type Answer = 'accepted' | 'refused' | 'unknown' | 'unanswered';

type Offered = Extract<WorkMessage, { kind: 'run' | 'guess' }>;

const NOTHING_CLAIMED = { handover: undefined };

/** Brings claimed and queued invocations to runners. What goes wrong here, the sweeper does again. */
export class HandOver {
  readonly #tasks: Tasks;

  constructor(private readonly parts: HandOverParts) {
    this.#tasks = new Tasks(parts.logger);
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
   * Has a runner begin on a claim that is still to be made (ADR 40). One that will not is offered what `stored` says was claimed, where
   * that is what was guessed; any other claim is for whoever stored it to offer.
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
    const answer = await this.#answerTo({ kind: 'run', handover }, runnerId);
    // Before that there is nothing to take back, and where it failed there never is.
    if (answer !== 'accepted' && (await isStored(stored))) await this.#takeBack(handover, runnerId, answer);
  }

  async #guess(
    handover: Handover,
    runnerId: string,
    stored: Promise<{ readonly handover: Handover | undefined }>,
  ): Promise<void> {
    const { invocationId, epoch } = handover;
    this.parts.owners.seen(invocationId, runnerId);
    const answer = await this.#answerTo({ kind: 'guess', handover }, runnerId);
    const outcome = await stored.catch((error: unknown) =>
      isTransient(error) ? undefined : NOTHING_CLAIMED,
    );
    // The claim may have been made all the same: whether its lease is held decides.
    if (!outcome) return;
    const { handover: claimed } = outcome;
    const hasBegun = answer === 'accepted' || answer === 'unanswered';
    if (claimed?.invocationId !== invocationId || claimed.epoch !== epoch) {
      if (hasBegun) await this.#withdraw(handover, runnerId);
    } else if (answer === 'unknown') {
      await this.#offer(claimed, runnerId);
    } else if (answer !== 'accepted') {
      await this.#takeBack(handover, runnerId, answer);
    }
  }

  /** So that the run of nothing asks no more of models, and keeps no place. One that does not hear of it finds that it has no lease. */
  async #withdraw(handover: Handover, runnerId: string): Promise<void> {
    const { invocationId, epoch } = handover;
    this.parts.owners.forget(invocationId);
    try {
      const message = { kind: 'withdrawn', invocationId, epoch };
      await this.parts.rpc.request(subjects.work(runnerId), workReplySchema, message, { timeoutMs: TELL_MS });
    } catch (error) {
      const fields = { ...workIdsOf(handover), runnerId, err: error };
      this.parts.logger.info(fields, 'runner was not told that its guess is withdrawn');
    }
  }

  async #takeBack(handover: Handover, runnerId: string, answer: Answer): Promise<void> {
    const { pool, owners, leaseMs, logger } = this.parts;
    const { invocationId, epoch } = handover;
    // Raises the epoch, so a runner that took it without our hearing of it stores nothing; one that has stored
    // something already keeps it, and so does one that renewed its lease while we waited for its word.
    const unrenewedMs = answer === 'unanswered' ? leaseMs - handoverPatienceMs(leaseMs) : undefined;
    if (!(await unclaimInvocation(pool, invocationId, epoch, unrenewedMs))) return;
    owners.forget(invocationId);
    logger.info({ ...workIdsOf(handover), runnerId, epoch, answer }, 'not taken, queued again');
    await this.#point(invocationId, epoch);
  }

  /**
   * Silence is no refusal: a runner whose event loop is busy has the message, and runs it once it reads it. To give the
   * invocation to another meanwhile would ask the model twice.
   */
  async #answerTo(message: Offered, runnerId: string): Promise<Answer> {
    const answer = await this.#promptAnswerTo(message, runnerId);
    if (answer === 'refused' || answer === 'unanswered') this.parts.directory.refused(runnerId);
    return answer;
  }

  #promptAnswerTo(message: Offered, runnerId: string): Promise<Answer> {
    const { leaseMs, directory } = this.parts;
    const patienceMs = handoverPatienceMs(leaseMs);
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        clearTimeout(slow);
        clearTimeout(silence);
        resolve(answer);
      };
      const slow = setTimeout(() => directory.refused(runnerId), PROMPT_MS);
      // When it was this process that was busy, the answer is here already and is read in the next turn.
      const silence = setTimeout(
        () => setImmediate(() => setImmediate(() => settle('unanswered'))),
        patienceMs,
      );
      void this.#ask(message, runnerId, 2 * patienceMs).then((answer) => {
        if (answer !== 'unanswered') settle(answer);
      });
    });
  }

  async #ask(message: Offered, runnerId: string, timeoutMs: number): Promise<Answer> {
    try {
      const reply = await this.parts.rpc.request(subjects.work(runnerId), workReplySchema, message, {
        timeoutMs,
      });
      const { disposition } = reply;
      return disposition === 'accepted' || disposition === 'unknown' ? disposition : 'refused';
    } catch (error) {
      const fields = { ...workIdsOf(message.handover), runnerId, err: error };
      this.parts.logger.info(fields, 'runner did not take a hand-over');
      return mayHaveArrived(error) ? 'unanswered' : 'refused';
    }
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

function isStored(stored: Promise<unknown> | undefined): Promise<boolean> {
  return Promise.resolve(stored).then(
    () => true,
    () => false,
  );
}
