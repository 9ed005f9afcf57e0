import { AdkError, type SessionKey, sessionKeySchema } from '@skein/contracts';
import {
  MAX_EVENT_BYTES,
  parseSourceObject,
  RowProblem,
  type SourceSession,
  toEvent,
} from '@skein/session-sources';
import { type ImportParts, nameHere, originOf, originsOf } from './import-parts';
import { type ImportOutcome, type SessionImport } from './import-target';
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
      : await storeWhenFree(parts, where, await toImport(parts, where, key, session));
    if (outcome.kind === 'exists') assertSame(parts, session, outcome.existing);
    const fate = outcome.kind === 'exists' ? 'before' : 'imported';
    report.count('sessions', fate);
    const { events, partials } = outcome.kind === 'exists' ? asNoted(outcome.existing) : outcome;
    report.count('events', fate, events);
    report.count('events', 'leftOut', partials);
    if (partials > 0) report.note(`${where}: ${partials} partial events are not kept, as ADK keeps none`);
  });
}

/** The import that stored it held what it read against what its source counted. */
function asNoted({ events, sourceEvents }: Existing): { events: number; partials: number } {
  return { events, partials: sourceEvents - events };
}

/**
 * Another import's transaction ends by itself: with its process, or after a while in which that one does nothing. So it is
 * waited for without a bound, and said so.
 */
async function storeWhenFree(
  { report, target }: ImportParts,
  where: string,
  session: SessionImport,
): Promise<Settled> {
  for (let isSaid = false; ; isSaid = true) {
    const outcome = await target.storeSession(session);
    if (outcome.kind !== 'busy') return outcome;
    if (isSaid) continue;
    report.note(`${where}: its place in Skein is locked, by another import for instance; it is waited for`);
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

/** What is to be stored; its state is read and its times are judged once, however often storing is tried. */
async function toImport(
  parts: ImportParts,
  where: string,
  key: SessionKey,
  session: SourceSession,
): Promise<SessionImport> {
  const unreadable = (column: string) => () =>
    parts.report.note(`${where}: its ${column} is no time from 1970 to 9999; 1970 stands for it`);
  const { createdSeconds, updatedSeconds, eventCount } = session;
  const state = await session.readState();
  if (state !== undefined && Buffer.byteLength(state) > MAX_EVENT_BYTES)
    throw new RowProblem('has too much state');
  let told = 0;
  const tell = (read: number): void => {
    parts.report.read(Math.max(0, read - told));
    told = Math.max(told, read);
  };
  return {
    key,
    state: parseSourceObject(state ?? '{}', parts),
    createdSeconds: orBeginning(createdSeconds, unreadable('create_time')),
    updatedSeconds: orBeginning(updatedSeconds, unreadable('update_time')),
    source: originOf(parts),
    sourceEvents: eventCount,
    readEvents: () => eventsOf(parts, session, { where, tell }),
  };
}

interface EventsRead {
  readonly where: string;
  /** Is told after each piece how many events were read by then, from the first again where they are read again. */
  readonly tell: (events: number) => void;
}

async function* eventsOf(
  { source, repairs }: ImportParts,
  session: SourceSession,
  { where, tell }: EventsRead,
) {
  let read = 0;
  for await (const rows of session.readEvents()) {
    yield rows.map((row) => {
      try {
        return toEvent(row, { repairs });
      } catch (error) {
        if (!(error instanceof RowProblem)) throw error;
        throw new RowProblem(`its event ${quoted([row.id])} ${error.message}`, { cause: error });
      }
    });
    read += rows.length;
    tell(read);
  }
  // Within the transaction: a session whose state and events are of two moments is rolled back with it.
  await source.assertUnchanged();
  if (read !== session.eventCount) throw lostEvents(where, session.eventCount, read);
}

function lostEvents(where: string, counted: number, read: number): AdkError {
  return new AdkError(
    'internal',
    'import.lost-events',
    `${where}: the source counts ${counted} events of it, and ${read} were read; it is not stored. An index of the source ` +
      'may be damaged: REINDEX mends it.',
  );
}

function namesOf({ appName, userId, sessionId }: SourceSession): SessionKey {
  return { appName, userId, sessionId };
}
