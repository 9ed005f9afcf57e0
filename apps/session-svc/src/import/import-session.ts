import { type SessionKey, sessionKeySchema } from '@skein/contracts';
import {
  MAX_EVENT_BYTES,
  parseSourceObject,
  RowProblem,
  type SourceSession,
  toEvent,
} from '@skein/session-sources';
import { type ImportParts, nameHere, originOf, originsOf } from './import-parts';
import { type ImportOutcome } from './import-target';
import { assertValid, orTell, quoted } from './row-problem';
import { orBeginning } from './source-time';

/** Stores a session with its events, or counts it as what it is in Skein already. */
export async function importSession(parts: ImportParts, session: SourceSession): Promise<void> {
  const { report, target } = parts;
  const key = { ...namesOf(session), appName: nameHere(parts, session.appName) };
  const where = `session ${quoted(Object.values(namesOf(session)))}`;
  const leaveOut = (): void => {
    report.count('sessions', 'leftOut');
    report.count('events', 'leftOut', session.eventCount);
  };
  await orTell(report, { where, leaveOut }, async () => {
    assertValid(sessionKeySchema, key);
    const existing = await target.find(key);
    const outcome = existing
      ? { kind: 'exists' as const, existing }
      : await storeWhenFree(parts, where, () => store(parts, where, key, session));
    if (outcome.kind === 'exists') assertSame(parts, session, outcome.existing);
    const fate = outcome.kind === 'exists' ? 'before' : 'imported';
    report.count('sessions', fate);
    const kept = outcome.kind === 'exists' ? outcome.existing.events : outcome.events;
    const partial = session.eventCount - kept;
    report.count('events', fate, kept);
    report.count('events', 'leftOut', partial);
    if (partial > 0) report.note(`${where}: ${partial} partial events are not kept, as ADK keeps none`);
  });
}

/**
 * Another import's transaction ends by itself: with its process, or after a while in which that one does nothing. So it is
 * waited for without a bound, and said so.
 */
async function storeWhenFree(
  { report }: ImportParts,
  where: string,
  work: () => Promise<ImportOutcome>,
): Promise<Settled> {
  for (let isSaid = false; ; isSaid = true) {
    const outcome = await work();
    if (outcome.kind !== 'busy') return outcome;
    if (!isSaid) report.note(`${where}: another import stores it, and is waited for`);
  }
}

type Settled = Exclude<ImportOutcome, { kind: 'busy' }>;
type Existing = Extract<ImportOutcome, { kind: 'exists' }>['existing'];

/** What is in Skein is left as it is: it may have been gone on with there. */
function assertSame(parts: ImportParts, session: SourceSession, existing: Existing): void {
  if (existing.source === undefined || !originsOf(parts).includes(existing.source)) {
    throw new RowProblem(
      existing.source === undefined
        ? 'a session of that name is in Skein and was not imported; it is left as it is'
        : `was imported from ${existing.source}; it is left as it is`,
    );
  }
  if (existing.sourceEvents !== session.eventCount) {
    throw new RowProblem(
      `had ${existing.sourceEvents} events when it was imported and has ${session.eventCount} now; ` +
        'it is left as it is in Skein (delete it there to import it anew)',
    );
  }
}

async function store(
  parts: ImportParts,
  where: string,
  key: SessionKey,
  session: SourceSession,
): Promise<ImportOutcome> {
  const unreadable = (column: string) => () =>
    parts.report.note(`${where}: its ${column} is no time from 1970 to 9999; 1970 stands for it`);
  const { createdSeconds, updatedSeconds, eventCount } = session;
  const state = await session.readState();
  if (state !== undefined && Buffer.byteLength(state) > MAX_EVENT_BYTES)
    throw new RowProblem('has too much state');
  return parts.target.storeSession({
    key,
    state: parseSourceObject(state ?? '{}', parts),
    createdSeconds: orBeginning(createdSeconds, unreadable('create_time')),
    updatedSeconds: orBeginning(updatedSeconds, unreadable('update_time')),
    source: originOf(parts),
    sourceEvents: eventCount,
    readEvents: () => eventsOf(parts, session),
  });
}

async function* eventsOf({ source, report, repairs }: ImportParts, session: SourceSession) {
  for await (const rows of session.readEvents()) {
    yield rows.map((row) => {
      try {
        return toEvent(row, { repairs });
      } catch (error) {
        if (!(error instanceof RowProblem)) throw error;
        throw new RowProblem(`its event ${quoted([row.id])} ${error.message}`, { cause: error });
      }
    });
    report.read(rows.length);
  }
  // Within the transaction: a session whose state and events are of two moments is rolled back with it.
  await source.assertUnchanged();
}

function namesOf({ appName, userId, sessionId }: SourceSession): SessionKey {
  return { appName, userId, sessionId };
}
