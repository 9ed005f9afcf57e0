import { type Handover, type StoredEvent, type Submit, type Submitted } from '@skein/contracts';
import { type Pool } from 'pg';
import { isTaken } from '../translate-error';
import { type CancelledInvocation, toCancelled } from './cancel-invocation';
import { type UnpublishedSession } from './find-unpublished';
import { readEvents } from './read-events';
import { readHandover, tracesOf } from './read-handover';
import { repeatUntilKnown } from './repeat-until-known';
import { isRefused, refusalOf } from './submit-refusals';
import { type InputRow, type SubmitListener, submitRow, type SubmitRow } from './submit-rows';
import {
  type ClaimGuess,
  type GuessedClaim,
  newInvocationId,
  toGuessedClaim,
  toGuessRow,
} from '../submit/claim-guess';
import { digestOf } from '../submit/digest-of';

export interface SubmitOptions {
  /** The runner to claim for when the session is free; none when no runner has credit. */
  readonly runnerId: string | undefined;
  readonly leaseMs: number;
  /** Of the request, kept with the invocation. */
  readonly traceparent?: string | undefined;
  /**
   * Told of the claim while it is made durable, so that its runner may begin meanwhile: whatever that stores waits for this
   * commit, behind the session's lock, and is refused as fenced where it fails. Told only by who stores a new message alone; not
   * where a history has to be read first, and not of a session without events: one that is made here has no lock that others
   * see. Told again of what is tried again. Must not throw.
   */
  readonly onClaimed?: (handover: Handover) => void;
  /** Of a new message for that runner. */
  readonly guess?: ClaimGuess | undefined;
}

export interface SubmitOutcome {
  readonly submitted: Submitted;
  /** The claim, when one was made. */
  readonly handover: Handover | undefined;
  /** Stored, next of its session, and claimed for nobody: some runner has to be told of it. */
  readonly needsPointer: boolean;
  /** Of its last claim; 0 when it never was. */
  readonly epoch: number;
  /** What had to make way, in its order, and where that left the session. */
  readonly interrupted: readonly CancelledInvocation[];
  readonly head: UnpublishedSession;
}

/** Stores a row in a transaction that is its own, or that of others as well. Nobody need be told before it is durable. */
export type StoreRow = (row: InputRow, listener: SubmitListener) => Promise<SubmitRow>;

/**
 * Stores an input with a new invocation, or with the one it goes on from, and, when the session is free, claims that in
 * the same statement. A repeat under the same idempotency key or request id answers the first one's invocation and stores
 * nothing; with either, a connection lost meanwhile makes it ask again.
 */
export async function submitInput(
  pool: Pool,
  submit: Submit,
  options: SubmitOptions,
  storeRow: StoreRow = (row) => submitRow(pool, row),
): Promise<SubmitOutcome> {
  const { traceparent = null, guess } = options;
  const guessed = guess && toGuessedClaim(guess);
  const row = toInputRow(submit, options, guessed);
  const listener: SubmitListener = {
    onLeaving: guessed && (() => guess.onLeaving(toGuessedHandover(submit, guessed, traceparent))),
    onAnswer: options.onClaimed && tellOf(submit, traceparent, options.onClaimed),
  };
  const store = (): Promise<SubmitRow> => storeRow(row, listener);
  if (keyOf(submit) === undefined) return toOutcome(pool, submit, await store(), traceparent);
  return repeatUntilKnown(async (isRepeat) => {
    // Two first submits under one key, to two sessions, meet in the unique index; the second try finds the winner.
    const stored = await store().catch((error: unknown) => {
      if (isTaken(error)) return store();
      throw error;
    });
    const outcome = await toOutcome(pool, submit, stored, traceparent);
    return isRepeat && stored.outcome === 'replayed' ? takeUp(pool, options, outcome) : outcome;
  });
}

/** A claim whose answer is all that its runner needs. */
function tellOf(
  submit: Submit,
  traceparent: string | null,
  onClaimed: (handover: Handover) => void,
): NonNullable<SubmitListener['onAnswer']> {
  return (row) => {
    const isClaimed = !isRefused(row) && row.claimed_epoch !== null;
    const isKnown = row.after_seq > 0 && (row.from_seq ?? 0) >= row.after_seq;
    if (isClaimed && isKnown) onClaimed(toHandover(submit, row, traceparent, []));
  };
}

/** What an answer that was lost would have said: the claim that was made for this runner, or that nobody knows of it. */
async function takeUp(
  pool: Pool,
  { runnerId }: SubmitOptions,
  outcome: SubmitOutcome,
): Promise<SubmitOutcome> {
  const { submitted, epoch } = outcome;
  const { invocationId } = submitted;
  const run =
    runnerId === undefined ? undefined : await readHandover(pool, { invocationId, runnerId, epoch });
  return { ...outcome, handover: run?.handover, needsPointer: run === undefined };
}

async function toOutcome(
  pool: Pool,
  submit: Submit,
  row: SubmitRow,
  traceparent: string | null,
): Promise<SubmitOutcome> {
  if (isRefused(row)) throw refusalOf(submit, row);
  const handover =
    row.claimed_epoch === null
      ? undefined
      : toHandover(submit, row, traceparent, await readHistory(pool, submit, row));
  return {
    submitted: {
      invocationId: row.invocation_id,
      segment: row.segment,
      sessionUid: row.session_uid,
      afterSeq: row.after_seq,
    },
    handover,
    needsPointer: row.outcome === 'accepted' && !handover,
    epoch: row.last_epoch ?? 0,
    interrupted: (row.interrupted ?? []).map(toCancelled),
    head: toHead(submit, row),
  };
}

function toHead({ appName, userId, sessionId }: Submit, row: SubmitRow): UnpublishedSession {
  return {
    key: { appName, userId, sessionId },
    sessionUid: row.session_uid,
    publishedSeq: row.published_seq ?? 0,
    lastSeq: row.after_seq,
  };
}

/** What the session has that the runner does not know. */
async function readHistory(
  pool: Pool,
  { appName, userId, sessionId }: Submit,
  { from_seq, after_seq }: SubmitRow,
): Promise<StoredEvent[]> {
  const afterSeq = from_seq ?? 0;
  if (afterSeq >= after_seq) return [];
  return readEvents(pool, { appName, userId, sessionId, afterSeq, untilSeq: after_seq });
}

/** The part of an answer that tells of a claim. */
type ClaimRow = Pick<
  SubmitRow,
  | ('invocation_id' | 'session_uid' | 'claimed_epoch' | 'segment' | 'after_seq' | 'from_seq')
  | ('updated_seconds' | 'scopes' | 'asked_traceparent')
>;

/** The first claim of a segment has no records and no open calls, so the answer of the submit is nearly all a runner needs. */
function toHandover(
  submit: Submit,
  row: ClaimRow,
  traceparent: string | null,
  events: StoredEvent[],
): Handover {
  const { appName, userId, sessionId } = submit;
  return {
    appName,
    userId,
    sessionId,
    invocationId: row.invocation_id,
    sessionUid: row.session_uid,
    epoch: row.claimed_epoch ?? 0,
    attempt: 1,
    segment: row.segment,
    input: {
      ordinal: row.segment,
      newMessage: submit.newMessage,
      stateDelta: submit.stateDelta,
      runConfig: submit.runConfig,
      functionCallEventId: submit.functionCallEventId,
    },
    baseSeq: row.after_seq,
    lastSeq: row.after_seq,
    sessionState: row.scopes?.session ?? {},
    appState: row.scopes?.app ?? {},
    userState: row.scopes?.user ?? {},
    fromSeq: row.from_seq ?? 0,
    events,
    records: [],
    openCalls: [],
    lastUpdateTime: row.updated_seconds ?? 0,
    ...tracesOf({ traceparent, asked_traceparent: row.asked_traceparent }),
  };
}

function toGuessedHandover(
  submit: Submit,
  { invocationId, head }: GuessedClaim,
  traceparent: string | null,
): Handover {
  const { sessionUid, epoch, lastSeq, updatedSeconds, scopes } = head;
  const row = {
    ...{ invocation_id: invocationId, session_uid: sessionUid, claimed_epoch: epoch + 1, segment: 0 },
    ...{
      after_seq: lastSeq,
      from_seq: lastSeq,
      updated_seconds: updatedSeconds,
      scopes,
      asked_traceparent: null,
    },
  };
  return toHandover(submit, row, traceparent, []);
}

function toInputRow(
  submit: Submit,
  { runnerId, leaseMs, traceparent }: SubmitOptions,
  guessed: GuessedClaim | undefined,
): InputRow {
  const { appName, userId, sessionId } = submit;
  const input = {
    invocation_id: newInvocationId(),
    guess: guessed && toGuessRow(guessed),
    resume_id: submit.invocationId,
    message: submit.newMessage,
    state_delta: submit.stateDelta,
    run_config: submit.runConfig,
    function_call_event_id: submit.functionCallEventId,
    idempotency_key: keyOf(submit),
    digest: submit.idempotencyKey === undefined ? '' : digestOf(submit),
    on_busy: submit.onBusy,
    auto_create: submit.autoCreateSession,
    is_repeat: submit.isRepeat,
    traceparent,
  };
  return {
    app_name: appName,
    user_id: userId,
    session_id: sessionId,
    input,
    runner: runnerId,
    lease_ms: leaseMs,
  };
}

/** The client's key, or the name its one request was given on the way: then the body is the same as well. */
function keyOf({ idempotencyKey, requestId }: Submit): string | undefined {
  return idempotencyKey ?? requestId;
}
