import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stepRecordSchema } from '@skein/contracts';
import { migrate } from '@skein/session-store';
import { Fleet } from '../chaos/support/fleet';
import { endGoldenRun } from '../golden/support/golden-run';
import { goldenFolder, goldenVersions, readGolden } from '../golden/support/golden-version';
import { type GoldenTables, readTables, writeRows } from '../golden/support/rows';
import { startTestDatabase } from './session-store-harness';
import packageJson from '../../package.json';

interface GoldenRows {
  readonly recordedAtMs: number;
  readonly rows: GoldenTables;
}

const rowsOf = (version: string): GoldenRows => readGolden(version, 'rows.json') as GoldenRows;

describe('what earlier versions stored', () => {
  it('is kept of every table there is now', async () => {
    const database = await startTestDatabase();
    const tables = await readTables(database.url);
    await database.stop();

    const { rows } = rowsOf(packageJson.version);
    expect(Object.keys(rows).sort()).toEqual(tables);
    expect(tables.filter((table) => rows[table]?.length === 0)).toEqual([]);
  }, 60_000);

  it('is kept of every kind of record a journal holds', () => {
    const journal = rowsOf(packageJson.version).rows.adk_journal ?? [];
    const kinds = journal.map((row) => (JSON.parse(row) as { kind: string }).kind);

    expect([...new Set(kinds)].sort()).toEqual([...stepRecordSchema.shape.kind.options].sort());
  });

  it.each(goldenVersions())(
    'is a run in its middle that this version takes up and ends as that one did (%s)',
    async (version) => {
      const { recordedAtMs, rows } = rowsOf(version);
      const agentsDir = mkdtempSync(path.join(tmpdir(), 'skein-golden-'));
      cpSync(path.join(goldenFolder(version), 'agents'), agentsDir, { recursive: true });
      const fleet = await Fleet.start({
        runners: 1,
        toolWorkers: 1,
        agentsDir,
        env: { LEASE_MS: '3000', SWEEP_MS: '300' },
        onServers: async ({ databaseUrl }) => {
          await migrate(databaseUrl, 'up');
          await writeRows(databaseUrl, rows, Date.now() - recordedAtMs);
        },
      });

      const end = await endGoldenRun(fleet);
      await fleet.stop();
      rmSync(agentsDir, { recursive: true, force: true });

      expect(end).toEqual(readGolden(version, 'end.json'));
    },
    120_000,
  );
});
