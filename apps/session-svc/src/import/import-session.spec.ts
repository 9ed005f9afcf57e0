import { type SourceSession } from '@skein/session-sources';
import { type ImportParts } from './import-parts';
import { ImportReport } from './import-report';
import { importSession } from './import-session';
import { dryTarget, type ImportTarget } from './import-target';

describe('a session that is imported', () => {
  it.each([
    ['postgresql://db:5432/adk', 1],
    ['postgresql://db/adk', 1],
    ['postgresql://db:5433/adk', 0],
  ])('is known to be there when it was noted as from %s', async (noted, before) => {
    const { parts, report } = anImport({
      find: async () => Promise.resolve({ source: noted, sourceEvents: 2, events: 2 }),
    });

    await importSession(parts, aSession(['one', 'two']));

    expect(report.tally('sessions')).toEqual({ imported: 0, before, leftOut: 1 - before });
  });
});

/** An import into nowhere but for what is given, and the lines it says. */
function anImport(target: Partial<ImportTarget> = {}) {
  const lines: string[] = [];
  const report = new ImportReport((line) => lines.push(line));
  const parts: ImportParts = {
    source: {
      name: 'postgresql://db/adk',
      appNames: async () => Promise.resolve(['helper']),
      count: async () =>
        Promise.resolve({ sessions: 1, events: 0, orphanEvents: 0, appStates: 0, userStates: 0 }),
      sessions: nothing,
      states: nothing,
      assertUnchanged: async () => Promise.resolve(),
      close: async () => Promise.resolve(),
    },
    target: { ...dryTarget, ...target },
    report,
    apps: undefined,
    as: undefined,
    repairs: false,
  };
  return { parts, report, lines };
}

async function* nothing(): AsyncGenerator<never, void> {
  // Nothing is asked of them here.
}

/** A session whose source counts events of these ids. */
function aSession(ids: readonly string[], more: Partial<SourceSession> = {}): SourceSession {
  return {
    appName: 'helper',
    userId: 'ada',
    sessionId: 'colors',
    createdSeconds: 1,
    updatedSeconds: 2,
    eventCount: ids.length,
    readState: async () => Promise.resolve('{}'),
    readEvents: () => eventsOf(ids),
    ...more,
  };
}

async function* eventsOf(ids: readonly string[]) {
  yield await Promise.resolve(
    ids.map((id) => ({
      ...{ id, invocationId: 'e-1', seconds: 1, bytes: 10 },
      data: JSON.stringify({ author: 'ada', timestamp: 1, partial: id === 'partial' }),
    })),
  );
}
