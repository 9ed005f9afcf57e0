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

  it.each(['a dry run', 'Skein'])(
    'ends the import into %s when its source gives fewer events than it counts',
    async (into) => {
      const readAll: ImportTarget['storeSession'] = async (session) => dryTarget.storeSession(session);
      const { parts, report } = anImport(into === 'Skein' ? { isKept: true, storeSession: readAll } : {});

      const importing = importSession(parts, aSession(['one', 'partial', 'three'], { eventCount: 4 }));

      await expect(importing).rejects.toMatchObject({
        code: 'import.lost-events',
        message: expect.stringMatching(/^session "helper" "ada" "colors": .* 4 events .* 3 were read/),
      });
      expect(report.tally('sessions').imported).toBe(0);
    },
  );

  it('is counted with the partial events that were dropped, not with those that are missing', async () => {
    const { parts, report, lines } = anImport({
      storeSession: async ({ readEvents }) => {
        for await (const piece of readEvents()) expect(piece).toHaveLength(3);
        return { kind: 'imported', events: 1, partials: 1 };
      },
    });

    await importSession(parts, aSession(['one', 'partial', 'three']));

    expect(report.tally('events')).toEqual({ imported: 1, before: 0, leftOut: 1 });
    expect(lines).toEqual([expect.stringContaining('1 partial events are not kept')]);
  });

  it('is read again once it is free, and its notes and progress are told once', async () => {
    let tries = 0;
    const { parts, report, lines } = anImport({
      storeSession: async (session) => {
        const outcome = await dryTarget.storeSession(session);
        return ++tries < 4 ? { kind: 'busy' } : outcome;
      },
    });
    const many = Array.from({ length: 3000 }, (_, at) => `event-${at}`);

    await importSession(parts, aSession(many, { createdSeconds: NaN }));

    expect(report.tally('events').imported).toBe(3000);
    expect(lines).toEqual([
      expect.stringContaining('its create_time is no time'),
      'session "helper" "ada" "colors": its place in Skein is locked, by another import for instance; it is waited for',
    ]);
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
