import { AdkError, type Event, type SessionKey, type WriteEvent } from '@skein/contracts';
import { splitState } from '@skein/engine';
import { type Pool, type PoolClient } from 'pg';
import { withoutTemp } from '../event-row';
import { type UnpublishedSession } from './find-unpublished';
import { insertEvents } from './insert-events';
import { type LockedSession, lockSession } from './lock-session';
import { mergeSharedState } from './merge-shared-state';
import { inTransaction, query } from './query';
import { type HeldClaim } from './read-handover';
import { repeatUntilKnown } from './repeat-until-known';

/** What was written, for publishing it, and who runs the session and has to be told. */
export interface WrittenEvent {
  readonly head: UnpublishedSession;
  readonly running: HeldClaim | undefined;
}

/**
 * Appends an event for a writer that does not own the session: it takes the next `seq` and leaves the fence (its epoch
 * and append number), so a run goes on undisturbed. The same event written again changes nothing.
 */
export async function writeEvent(
  pool: Pool,
  { event, expectedSeq, ...key }: WriteEvent,
): Promise<WrittenEvent> {
  const writeOnce = async (client: PoolClient): Promise<WrittenEvent> => {
    const session = await lockSession(client, key);
    if (event.partial === true || (await isStored(client, key, event))) return written(client, key, session);
    if (expectedSeq !== undefined && expectedSeq !== session.last_seq) throw stale(key, session, expectedSeq);
    await appendLocked(client, key, session, event);
    return written(client, key, { ...session, last_seq: session.last_seq + 1 });
  };
  return repeatUntilKnown(() => inTransaction(pool, writeOnce));
}

/** Appends to a session whose row is locked: its own state, then the user's, then the app's, then the event. */
export async function appendLocked(
  client: PoolClient,
  key: SessionKey,
  { last_seq: lastSeq }: LockedSession,
  event: Event,
): Promise<void> {
  const stored = withoutTemp(event);
  const scopes = splitState(stored.actions.stateDelta);
  await query(client, advanceStatement, [...namesOf(key), JSON.stringify(scopes.session)]);
  await mergeSharedState(client, key, scopes);
  await insertEvents(client, key, lastSeq, [stored]);
}

/** Whether the session holds this event already: then its writer was not heard of, and asks again. */
export async function isStored(
  client: PoolClient,
  key: SessionKey,
  { id }: Pick<Event, 'id'>,
): Promise<boolean> {
  return (await query(client, eventStatement, [...namesOf(key), id])).length > 0;
}

async function written(client: PoolClient, key: SessionKey, session: LockedSession): Promise<WrittenEvent> {
  const [row] = await query<RunningRow>(client, runningStatement, namesOf(key));
  return {
    head: toHead(key, session),
    running: row && { invocationId: row.id, runnerId: row.owner, epoch: row.epoch },
  };
}

export function toHead(key: SessionKey, session: LockedSession): UnpublishedSession {
  const { uid: sessionUid, published_seq: publishedSeq, last_seq: lastSeq } = session;
  return { key, sessionUid, publishedSeq, lastSeq };
}

function stale(key: SessionKey, { last_seq: lastSeq }: LockedSession, expectedSeq: number): AdkError {
  return new AdkError(
    'conflict',
    'session.stale',
    `Session ${key.sessionId} is at seq ${lastSeq}, not at ${expectedSeq}.`,
    { details: { lastSeq } },
  );
}

export function namesOf({ appName, userId, sessionId }: SessionKey): [string, string, string] {
  return [appName, userId, sessionId];
}

interface RunningRow {
  readonly id: string;
  readonly owner: string;
  readonly epoch: number;
}

const advanceStatement = {
  name: 'advance-session',
  text: `
  UPDATE adk_sessions
     SET last_seq = last_seq + 1, state = state || $4::jsonb,
         updated_at = date_trunc('milliseconds', clock_timestamp())
   WHERE app_name = $1 AND user_id = $2 AND id = $3`,
};

const eventStatement = {
  name: 'find-event',
  text: 'SELECT 1 FROM adk_events WHERE app_name = $1 AND user_id = $2 AND session_id = $3 AND id = $4',
};

const runningStatement = {
  name: 'find-running',
  text: `
  SELECT id, owner, epoch FROM adk_invocations
   WHERE app_name = $1 AND user_id = $2 AND session_id = $3 AND status = 'running' AND owner IS NOT NULL`,
};
