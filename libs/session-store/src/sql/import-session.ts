import { type Event, type SessionKey } from '@skein/contracts';
import { splitState, type StateRecord } from '@skein/engine';
import { type Pool, type PoolClient } from 'pg';
import { withoutTemp } from '../event-row';
import { importSharedState } from './import-state';
import { insertEvents } from './insert-events';
import { isLocked } from '../translate-error';
import { inTransaction, query } from './query';
import { repeatUntilKnown } from './repeat-until-known';

/** A session of another ADK's database. */
export interface SessionImport {
  readonly key: SessionKey;
  /** Its own state, as its database keeps it: with what its events set. */
  readonly state: StateRecord;
  readonly createdSeconds: number;
  readonly updatedSeconds: number;
  /** Names its database. */
  readonly source: string;
  /** Rows of events there. */
  readonly sourceEvents: number;
  /** Its events in their order, in pieces that fit in memory; from the beginning each time. */
  readonly readEvents: () => AsyncIterable<readonly Event[]>;
}

/** How a session came here that is here already; without a source it was not imported. */
export interface ExistingSession {
  readonly source: string | undefined;
  readonly sourceEvents: number;
  /** Of these, how many were stored. */
  readonly events: number;
}

export type ImportOutcome =
  /** `partials` were read and are not kept, as ADK keeps none. */
  | { readonly kind: 'imported'; readonly events: number; readonly partials: number }
  | { readonly kind: 'exists'; readonly existing: ExistingSession }
  /** Somebody has stored it and not said yet whether it stays. */
  | { readonly kind: 'busy' };

/** How long another writer of the session's key is waited for; well within the store's bound of a statement. */
const LOCK_TIMEOUT_MS = 1_000;

/**
 * Stores a session with all its events as one transaction, or nothing of it; the same again finds it there. Nobody owns a
 * session that is not there yet, so there is no fence to pass. Its events count as published: they are history, and no
 * subscriber is told of them as if they happened now.
 */
export async function importSession(pool: Pool, session: SessionImport): Promise<ImportOutcome> {
  try {
    return await repeatUntilKnown(() => inTransaction(pool, (client) => importOnce(client, session)));
  } catch (error) {
    if (isLocked(error)) return { kind: 'busy' };
    throw error;
  }
}

/** The session of that key, when there is one. */
export async function findExisting(pool: Pool, key: SessionKey): Promise<ExistingSession | undefined> {
  return readExisting(pool, namesOf(key));
}

async function importOnce(client: PoolClient, session: SessionImport): Promise<ImportOutcome> {
  const names = namesOf(session.key);
  // The source may take its time over a piece; without a bound a process that hangs would keep the session's key locked.
  await client.query(`SET LOCAL idle_in_transaction_session_timeout = '5min'`);
  await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
  const scopes = splitState(session.state);
  const created = await query(client, insertSession, [
    ...names,
    JSON.stringify(scopes.session),
    session.createdSeconds,
    session.updatedSeconds,
  ]);
  if (created.length === 0) {
    const existing = await readExisting(client, names);
    return { kind: 'exists', existing: existing ?? { source: undefined, sourceEvents: 0, events: 0 } };
  }
  const { events, partials, changed } = await storeEvents(client, session);
  const initial = Object.entries(scopes.session).filter(([key]) => !changed.has(key));
  await query(client, setHead, [...names, events, JSON.stringify(Object.fromEntries(initial))]);
  // A prefix in a session's own state is somebody's mistake; the key is read where it belongs.
  await importSharedState(client, { ...session.key, ...scopes });
  await query(client, noteImport, [...names, session.source, session.sourceEvents, events]);
  return { kind: 'imported', events, partials };
}

/** Also which of its own keys the events set: the others were there from the beginning. */
async function storeEvents(
  client: PoolClient,
  { key, readEvents }: SessionImport,
): Promise<{ events: number; partials: number; changed: ReadonlySet<string> }> {
  const changed = new Set<string>();
  let stored = 0;
  let partials = 0;
  for await (const piece of readEvents()) {
    const events = piece.filter((event) => event.partial !== true).map(withoutTemp);
    await insertEvents(client, key, stored, events);
    stored += events.length;
    partials += piece.length - events.length;
    for (const { actions } of events) {
      for (const name of Object.keys(splitState(actions.stateDelta).session)) changed.add(name);
    }
  }
  return { events: stored, partials, changed };
}

async function readExisting(
  database: Pool | PoolClient,
  names: readonly string[],
): Promise<ExistingSession | undefined> {
  const [row] = await query<ExistingRow>(database, existingStatement, names);
  return (
    row && { source: row.source ?? undefined, sourceEvents: row.source_events ?? 0, events: row.events ?? 0 }
  );
}

interface ExistingRow {
  readonly source: string | null;
  readonly source_events: number | null;
  readonly events: number | null;
}

function namesOf({ appName, userId, sessionId }: SessionKey): string[] {
  return [appName, userId, sessionId];
}

const insertSession = {
  name: 'import-session',
  text: `
  INSERT INTO adk_sessions (app_name, user_id, id, state, inserted_at, updated_at)
  VALUES ($1, $2, $3, $4::jsonb, to_timestamp($5), to_timestamp($6))
  ON CONFLICT DO NOTHING
  RETURNING uid`,
};

const setHead = {
  name: 'import-session-head',
  text: `
  UPDATE adk_sessions SET last_seq = $4, published_seq = $4, initial_state = $5::jsonb
   WHERE app_name = $1 AND user_id = $2 AND id = $3`,
};

const noteImport = {
  name: 'note-import',
  text: `
  INSERT INTO adk_imports (app_name, user_id, session_id, source, source_events, events)
  VALUES ($1, $2, $3, $4, $5, $6)`,
};

const existingStatement = {
  name: 'find-existing-session',
  text: `
  SELECT i.source, i.source_events, i.events
    FROM adk_sessions s
    LEFT JOIN adk_imports i ON i.app_name = s.app_name AND i.user_id = s.user_id AND i.session_id = s.id
   WHERE s.app_name = $1 AND s.user_id = $2 AND s.id = $3`,
};
