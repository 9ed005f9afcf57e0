import { AdkError, appNameSchema, type SessionKey, sessionKeySchema, userIdSchema } from '@skein/contracts';
import {
  parseSourceObject,
  RowProblem,
  SourceError,
  type SessionSource,
  type SourceSession,
  type SourceState,
  toEvent,
  MAX_EVENT_BYTES,
} from '@skein/session-sources';
import { type ImportReport } from './import-report';
import { type ImportTarget } from './import-target';

export interface ImportParts {
  readonly source: SessionSource;
  readonly target: ImportTarget;
  readonly report: ImportReport;
  /** The one app that is imported, and what it is called here. */
  readonly app: string | undefined;
  readonly as: string | undefined;
  readonly repairs: boolean;
}

/**
 * Copies a source. Each session is a transaction of its own and noted with it, so whatever is cut is done again by the next
 * run and nothing twice. A row that cannot be stored costs its session and no other.
 */
export async function runImport(parts: ImportParts): Promise<void> {
  for await (const state of parts.source.states()) await importOneState(parts, state);
  for await (const session of parts.source.sessions()) await importOneSession(parts, session);
  await parts.source.assertUnchanged();
  await checkCounts(parts);
}

async function importOneState(parts: ImportParts, row: SourceState): Promise<void> {
  const { report, target } = parts;
  const what = row.userId === undefined ? 'app states' : 'user states';
  const where = `${what.replace(/s$/, '')} ${quoted([row.appName, row.userId])}`;
  const appName = nameOf(parts, row.appName);
  await orTell(
    parts,
    where,
    () => report.count(what, 'leftOut'),
    async () => {
      assertValid(appNameSchema, appName);
      if (row.userId !== undefined) assertValid(userIdSchema, row.userId);
      const state = parseSourceObject(row.state ?? '{}', parts);
      const updatedSeconds = orBeginning(row.updatedSeconds);
      await parts.source.assertUnchanged();
      const kept = await target.storeState({ appName, userId: row.userId, state, updatedSeconds });
      report.count(what, 'imported');
      if (kept.length > 0) report.note(`${where}: Skein keeps its own value of ${kept.join(', ')}`);
    },
  );
}

async function importOneSession(parts: ImportParts, session: SourceSession): Promise<void> {
  const { report, target, source } = parts;
  const key = { ...namesOf(session), appName: nameOf(parts, session.appName) };
  const where = `session ${quoted(Object.values(namesOf(session)))}`;
  const leaveOut = (): void => {
    report.count('sessions', 'leftOut');
    report.count('events', 'leftOut', session.eventCount);
  };
  await orTell(parts, where, leaveOut, async () => {
    assertValid(sessionKeySchema, key);
    const existing = await target.find(key);
    const outcome = existing ? { kind: 'exists' as const, existing } : await store(parts, key, session);
    if (outcome.kind === 'imported') {
      report.count('sessions', 'imported');
      report.count('events', 'imported', session.eventCount);
      const leftOut = session.eventCount - outcome.events;
      if (leftOut > 0) report.note(`${where}: ${leftOut} partial events are not kept, as ADK keeps none`);
      return;
    }
    if (outcome.existing.source !== source.name) throw new RowProblem(reasonOf(outcome.existing.source));
    if (outcome.existing.sourceEvents !== session.eventCount) {
      throw new RowProblem(
        `had ${outcome.existing.sourceEvents} events when it was imported and has ${session.eventCount} now; ` +
          'it is left as it is in Skein (delete it there to import it anew)',
      );
    }
    report.count('sessions', 'before');
    report.count('events', 'before', session.eventCount);
  });
}

async function store(
  { source, target, report, repairs }: ImportParts,
  key: SessionKey,
  session: SourceSession,
) {
  const { createdSeconds, updatedSeconds, eventCount } = session;
  const state = await session.readState();
  if (state !== undefined && Buffer.byteLength(state) > MAX_EVENT_BYTES)
    throw new RowProblem('has too much state');
  return target.storeSession({
    key,
    state: parseSourceObject(state ?? '{}', { repairs }),
    createdSeconds: orBeginning(createdSeconds),
    updatedSeconds: orBeginning(updatedSeconds),
    source: source.name,
    sourceEvents: eventCount,
    readEvents: async function* () {
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
    },
  });
}

/** Each row has gone one way, and what the imports noted is what is there. */
async function checkCounts({ source, target, report, app, as }: ImportParts): Promise<void> {
  const there = await source.count();
  const stored = await target.count(source.name, as ?? app);
  const rows = [
    ['sessions', there.sessions, stored?.sessions],
    ['events', there.events, stored?.events],
    ['app states', there.appStates, undefined],
    ['user states', there.userStates, undefined],
  ] as const;
  report.table(rows);
  for (const [what, expected] of rows) {
    const { imported, before, leftOut } = report.tally(what);
    const met = imported + before + leftOut;
    if (met !== expected) report.problem(what, `the source has ${expected}, and ${met} were read`);
  }
  if (there.orphanEvents > 0) {
    report.note(`${there.orphanEvents} events belong to no session; ADK does not show them either`);
  }
  if (!stored) return;
  const { imported, before } = report.tally('sessions');
  if (stored.sessions < imported + before) {
    report.problem('sessions', `${imported + before} should be in Skein, and ${stored.sessions} are`);
  } else if (stored.sessions > imported + before) {
    report.note(`${stored.sessions - imported - before} imported sessions are not in the source any more`);
  }
  if (stored.events !== stored.notedEvents) {
    report.problem('events', `${stored.notedEvents} should be in Skein, and ${stored.events} are`);
  }
}

/** Does it, or tells why this row cannot be stored; what is not about a row ends the import. */
async function orTell(
  { report }: ImportParts,
  where: string,
  leaveOut: () => void,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (raw) {
    const error = unwrapped(raw);
    const isOfRow = error instanceof RowProblem || (AdkError.isInstance(error) && error.kind === 'invalid');
    if (!isOfRow) throw error;
    leaveOut();
    report.problem(where, describeError(error));
  }
}

/** What is thrown within a transaction comes out as the transaction's failure. */
function unwrapped(error: unknown): unknown {
  const cause = AdkError.isInstance(error) ? error.cause : undefined;
  return cause instanceof RowProblem || cause instanceof SourceError ? cause : error;
}

/** With the database's own word behind ours. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOurs = AdkError.isInstance(error) && error.cause instanceof Error;
  return isOurs ? `${error.message} (${(error.cause as Error).message})` : error.message;
}

function reasonOf(otherSource: string | undefined): string {
  return otherSource === undefined
    ? 'a session of that name is in Skein and was not imported; it is left as it is'
    : `was imported from ${otherSource}; it is left as it is`;
}

function assertValid(schema: typeof appNameSchema | typeof sessionKeySchema, value: unknown): void {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new RowProblem(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '),
    );
  }
}

function nameOf({ app, as }: ImportParts, appName: string): string {
  return as !== undefined && appName === app ? as : appName;
}

function namesOf({ appName, userId, sessionId }: SourceSession): SessionKey {
  return { appName, userId, sessionId };
}

/** Ids may hold anything, also what would break a line. */
function quoted(ids: readonly (string | undefined)[]): string {
  return ids
    .filter((id) => id !== undefined)
    .map((id) => JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id))
    .join(' ');
}

/** A time that cannot be read is no reason to lose a session. */
function orBeginning(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0;
}
