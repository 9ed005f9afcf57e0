import { AdkError, type Event, type RewindSession, type SessionKey } from '@skein/contracts';
import { artifactsToRestore, createEvent, type DeltasOfEvent, stateRestoringDelta } from '@skein/engine';
import { type Pool, type PoolClient } from 'pg';
import { type UnpublishedSession } from './find-unpublished';
import { type LockedSession, lockSession } from './lock-session';
import { inTransaction, query } from './query';
import { readStateAt } from './read-session';
import { repeatUntilKnown } from './repeat-until-known';
import { restoreArtifact } from './restore-artifact';
import { appendLocked, isStored, namesOf, toHead } from './write-event';

/**
 * Takes back the named invocation and all after it (B55), as a whole or not at all: state and artifacts are as before,
 * and what waits for an answer is cancelled. The epoch rises, so a run that was lost and still writes stores nothing.
 * The same rewind asked for again changes nothing.
 */
export async function rewindSession(pool: Pool, request: RewindSession): Promise<UnpublishedSession> {
  return repeatUntilKnown(() => rewindOnce(pool, request));
}

async function rewindOnce(pool: Pool, request: RewindSession): Promise<UnpublishedSession> {
  const { eventId, rewindBeforeInvocationId, ...key } = request;
  return inTransaction(pool, async (client) => {
    const session = await lockSession(client, key);
    if (await isStored(client, key, { id: eventId })) return toHead(key, session);
    await refuseWhenBusy(client, key);
    const firstSeq = await firstSeqOf(client, key, rewindBeforeInvocationId);
    const event = await makeEvent(client, request, session, firstSeq);
    await query(client, cancelStatement, [...namesOf(key), firstSeq]);
    await appendLocked(client, key, session, event);
    await query(client, fenceStatement, namesOf(key));
    return toHead(key, { ...session, last_seq: session.last_seq + 1 });
  });
}

async function refuseWhenBusy(client: PoolClient, key: SessionKey): Promise<void> {
  const busy = await query(client, busyStatement, namesOf(key));
  if (busy.length === 0) return;
  throw new AdkError(
    'conflict',
    'session.busy',
    `Session is busy: ${key.sessionId}. It can be rewound once nothing in it is queued or runs.`,
  );
}

async function firstSeqOf(client: PoolClient, key: SessionKey, invocationId: string): Promise<number> {
  const [row] = await query<{ seq: number | null }>(client, firstStatement, [...namesOf(key), invocationId]);
  if (row?.seq != null) return row.seq;
  throw new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`);
}

async function makeEvent(
  client: PoolClient,
  { eventId, rewindBeforeInvocationId, ...key }: RewindSession,
  session: LockedSession,
  firstSeq: number,
): Promise<Event> {
  const rows = await query<DeltaRow>(client, deltasStatement, namesOf(key));
  const [kept, takenBack] = [
    rows.filter(({ seq }) => seq < firstSeq),
    rows.filter(({ seq }) => seq >= firstSeq),
  ];
  const before = await readStateAt(client, key, session, firstSeq - 1);
  const restored: [string, number][] = [];
  for (const artifact of artifactsToRestore(kept, takenBack)) {
    restored.push([artifact.filename, await restoreArtifact(client, key, artifact)]);
  }
  return createEvent({
    id: eventId,
    invocationId: `e-${eventId}`,
    author: 'user',
    timestamp: Date.now() / 1000,
    actions: {
      rewindBeforeInvocationId,
      stateDelta: stateRestoringDelta(before, takenBack),
      artifactDelta: Object.fromEntries(restored),
    },
  });
}

interface DeltaRow extends DeltasOfEvent {
  readonly seq: number;
}

const busyStatement = {
  name: 'find-busy',
  text: `
  SELECT 1 FROM adk_invocations
   WHERE app_name = $1 AND user_id = $2 AND session_id = $3 AND status IN ('queued', 'running')
   LIMIT 1`,
};

const firstStatement = {
  name: 'find-first-seq',
  text: `
  SELECT min(e.seq) AS seq FROM skein_events_of($1, $2, $3, $4) e`,
};

const deltasStatement = {
  name: 'read-deltas',
  text: `
  SELECT seq, actions -> 'stateDelta' AS "stateDelta", coalesce(actions -> 'artifactDelta', '{}') AS "artifactDelta"
    FROM adk_events
   WHERE app_name = $1 AND user_id = $2 AND session_id = $3
     AND (actions -> 'stateDelta' <> '{}' OR actions -> 'artifactDelta' <> '{}')
   ORDER BY seq`,
};

// What waits for the answer to a call that is taken back. What began before and waits is still in the conversation.
const cancelStatement = {
  name: 'cancel-rewound',
  text: `
  SELECT skein_end_segment(i.id, 'cancelled', NULL, s.last_seq, NULL)
    FROM adk_invocations i
    JOIN adk_sessions s ON s.app_name = i.app_name AND s.user_id = i.user_id AND s.id = i.session_id
   WHERE i.app_name = $1 AND i.user_id = $2 AND i.session_id = $3 AND i.status = 'waiting'
     AND EXISTS (SELECT 1 FROM adk_events e
                  WHERE e.app_name = $1 AND e.user_id = $2 AND e.session_id = $3 AND e.invocation_id = i.id
                    AND e.seq >= $4)`,
};

const fenceStatement = {
  name: 'raise-epoch',
  text: `
  UPDATE adk_sessions SET owner_epoch = owner_epoch + 1, append_no = 0
   WHERE app_name = $1 AND user_id = $2 AND id = $3`,
};
