import path from 'node:path';
import { openSource } from '@skein/session-sources';
import { Client } from 'pg';
import { ImportReport } from '../../apps/session-svc/src/import/import-report';
import { databaseTarget } from '../../apps/session-svc/src/import/import-target';
import { runImport } from '../../apps/session-svc/src/import/run-import';
import { ImportGround } from './import-ground';
import { fixture, makeSqliteSource, moreSessions } from './import-harness';

const ground = ImportGround.ofSpec();
const from = path.join(ground.folder, 'source.db');

describe('imports side by side', () => {
  it('store each session once, and count it once as imported', async () => {
    makeSqliteSource(from, fixture('adk-js.sqlite'), moreSessions('helper', 150, 20));

    const both = await Promise.all([1, 2].map(async () => ground.import(['--from', from])));

    const tallies = both.map(({ code, output }) => [code, ...sessionsOf(output)]);
    expect(tallies).toEqual([
      [0, 153, expect.any(Number), expect.any(Number), 0, 153],
      [0, 153, expect.any(Number), expect.any(Number), 0, 153],
    ]);
    const [[, , imported = 0], [, , importedToo = 0]] = tallies as [number[], number[]];
    expect(imported + importedToo).toBe(153);
    expect(await ground.counts()).toEqual({ sessions: 153, events: 3007, odd: 0 });
  }, 60_000);

  it.each([
    ['goes away', 'ROLLBACK', [3, 0]],
    ['is done', 'COMMIT', [2, 1]],
  ] as const)(
    'wait for a session another is storing until that one %s',
    async (_, end, [imported, others]) => {
      makeSqliteSource(from, fixture('adk-js.sqlite'));
      const source = await openSource(from);
      const other = new Client({ connectionString: ground.url });
      await other.connect();
      await other.query('BEGIN');
      await storeColors(other, source.name);

      const notes: string[] = [];
      let ending: Promise<unknown> | undefined;
      const report = new ImportReport((line) => {
        notes.push(line);
        if (line.includes('another import')) ending ??= other.query(end);
      });
      try {
        await runImport({
          ...{ source, report, target: databaseTarget(ground.pool) },
          ...{ apps: undefined, as: undefined, repairs: false },
        });
        await ending;
      } finally {
        await Promise.all([source.close(), other.end()]);
      }

      expect(report.tally('sessions')).toEqual({ imported, before: others, leftOut: 0 });
      expect(notes.filter((line) => line.includes('another import'))).toEqual([
        'session "helper" "ada" "colors": its place in Skein is locked, by another import for instance; it is waited for',
      ]);
    },
    30_000,
  );

  it('are not kept waiting by one that was killed within a session', async () => {
    makeSqliteSource(from, fixture('adk-js.sqlite'), moreSessions('helper', 1, 20_000, 1_000));

    const killed = await ground.import(['--from', from], { killAt: /… 5\d+ events read/ });
    const next = await ground.import(['--from', from]);

    expect([killed.code, next.code]).toEqual([null, 0]);
    expect(sessionsOf(killed.output)).toEqual([]);
    expect(sessionsOf(next.output)).toEqual([4, 2, 2, 0, 4]);
    expect(await ground.counts()).toEqual({ sessions: 4, events: 20_007, odd: 0 });
  }, 60_000);
});

/** Source, imported, before, left out, in Skein; nothing where no table was shown. */
function sessionsOf(output: string): number[] {
  const [, row = ''] = /^ {2}sessions +(.*)$/m.exec(output) ?? [];
  return row === '' ? [] : row.split(/ +/).map(Number);
}

/** What an import of that source does, without its end. */
async function storeColors(client: Client, source: string): Promise<void> {
  await client.query(
    `INSERT INTO adk_sessions (app_name, user_id, id, state) VALUES ('helper', 'ada', 'colors', '{}')`,
  );
  await client.query(
    `INSERT INTO adk_imports (app_name, user_id, session_id, source, source_events, events)
     VALUES ('helper', 'ada', 'colors', $1, 4, 0)`,
    [source],
  );
}
