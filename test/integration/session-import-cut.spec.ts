import { rmSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { openSource, type SessionSource } from '@skein/session-sources';
import { ImportReport } from '../../apps/session-svc/src/import/import-report';
import { databaseTarget } from '../../apps/session-svc/src/import/import-target';
import { runImport } from '../../apps/session-svc/src/import/run-import';
import { ImportGround } from './import-ground';
import {
  changeSqliteSource,
  fixture,
  inDatabase,
  makePostgresSource,
  makeSqliteSource,
  moreSessions,
  runImportCommand,
} from './import-harness';

const ground = ImportGround.ofSpec();

/** Imports in this process, and does something before the session of that id is stored. */
async function importUntil(source: SessionSource, sessionId: string, then: () => unknown) {
  const lines: string[] = [];
  const target = databaseTarget(ground.pool);
  const importing = runImport({
    source,
    target: {
      ...target,
      storeSession: async (session) => {
        if (session.key.sessionId === sessionId) await then();
        return target.storeSession(session);
      },
    },
    report: new ImportReport((line) => lines.push(line)),
    apps: undefined,
    as: undefined,
    repairs: false,
  });
  const error = await importing.then(
    () => undefined,
    (reason: unknown) => String(reason),
  );
  await source.close();
  return { error, lines };
}

const SO_FAR =
  'Ended before all of it was read: 1 sessions were imported, 0 were there before, 0 were left out. ' +
  'What is stored stays; the next run goes on from there.';

describe('an import whose source goes away', () => {
  it('names a PostgreSQL that ended the connection, tells how far it came, and goes on the next time', async () => {
    const name = 'source_away';
    const from = await makePostgresSource(ground.pool, ground.url, name, fixture('adk-js.postgres'));
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;

    const cut = await importUntil(await openSource(from), 'colors', () => ground.pool.query(end));
    const next = await ground.import(['--from', from]);

    expect(cut.error).toMatch(/postgresql:\/\/[^@]*\/source_away went away while it was read/);
    expect(cut.lines).toContain(SO_FAR);
    expect(next).toMatchObject({ code: 0, output: expect.stringMatching(/sessions +3 +2 +1 +0 +3\n/) });
    expect(await ground.counts()).toEqual({ sessions: 3, events: 7, odd: 0 });
  });

  it('names a SQLite file that was cut off', async () => {
    const file = path.join(ground.folder, 'cut.db');
    makeSqliteSource(file, fixture('adk-js.sqlite'), moreSessions('helper', 3, 100));

    const cut = await importUntil(await openSource(file), 'colors', () => truncateSync(file, 8192));
    makeSqliteSource(file, fixture('adk-js.sqlite'), moreSessions('helper', 3, 100));
    const next = await ground.import(['--from', file]);

    expect(cut.error).toContain(file);
    expect(cut.lines).toContain(SO_FAR);
    expect(next).toMatchObject({ code: 0, output: expect.stringMatching(/sessions +6 +5 +1 +0 +6\n/) });
    expect(await ground.counts()).toEqual({ sessions: 6, events: 307, odd: 0 });
  });

  it('names a SQLite file that is not there any more', async () => {
    const file = makeSqliteSource(path.join(ground.folder, 'gone.db'), fixture('adk-js.sqlite'));

    const { error } = await importUntil(await openSource(file), 'colors', () => rmSync(file));

    expect(error).toMatch(/gone\.db cannot be read: .*ENOENT/);
    expect(await ground.counts()).toMatchObject({ sessions: 1 });
  });

  it('ends with 1 and the count so far, as a command', async () => {
    const file = path.join(ground.folder, 'used.db');
    makeSqliteSource(file, fixture('adk-js.sqlite'));
    // Holds the import at its second session, until the file is written to.
    const holder = await ground.pool.connect();
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO adk_sessions (app_name, user_id, id, state) VALUES ('helper', 'ada', 'colors', '{}')`,
    );

    const { code, output } = await runImportCommand(['--from', file], {
      databaseUrl: ground.url,
      killAt: /another import/,
      kill: () => {
        changeSqliteSource(file, 'CREATE TABLE late (a)');
        holder.query('ROLLBACK').then(
          () => holder.release(),
          (error: unknown) => holder.release(error instanceof Error ? error : true),
        );
      },
    });

    expect([code, output]).toEqual([1, expect.stringContaining('was written to while it was read')]);
    expect(output).toContain(SO_FAR);
  }, 30_000);

  it('is not ended by bounds that the source sets to statements and to waiting', async () => {
    const from = await makePostgresSource(
      ground.pool,
      ground.url,
      'source_bounded',
      fixture('adk-js.postgres'),
    );
    await inDatabase(
      from,
      `ALTER DATABASE source_bounded SET statement_timeout = '30s';
       ALTER DATABASE source_bounded SET idle_in_transaction_session_timeout = '30s';
       ALTER TABLE sessions RENAME TO all_sessions;
       CREATE VIEW sessions AS SELECT * FROM all_sessions
        WHERE current_setting('statement_timeout') = '0'
          AND current_setting('idle_in_transaction_session_timeout') = '0'`,
    );

    expect(await ground.import(['--from', from])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/sessions +3 +3 /),
    });
  });

  it('tells whose database is away where it is that of Skein, and no password', async () => {
    const file = makeSqliteSource(path.join(ground.folder, 'fine.db'), fixture('adk-js.sqlite'));
    const url = new URL(ground.url);
    url.port = '1';

    const { code, output } = await runImportCommand(['--from', file], { databaseUrl: url.href });

    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^import: Skein's database at .* cannot be used: .*ECONNREFUSED/),
    ]);
    expect(output).not.toContain(url.password);
  });
});
