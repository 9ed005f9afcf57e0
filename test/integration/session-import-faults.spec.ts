import { openSource } from '@skein/session-sources';
import { writeEvent } from '@skein/session-store';
import { ImportReport } from '../../apps/session-svc/src/import/import-report';
import { databaseTarget } from '../../apps/session-svc/src/import/import-target';
import { runImport } from '../../apps/session-svc/src/import/run-import';
import { ImportGround } from './import-ground';
import {
  DENSE,
  fixture,
  inDatabase,
  anEvent,
  changeSqliteSource,
  moreSessions,
  runImportCommand,
} from './import-harness';

const ground = ImportGround.ofSpec();

describe('skein import, when something is wrong', () => {
  it('names each row that cannot be stored, stores nothing of its session, and goes on', async () => {
    const from = ground.file(
      fixture('adk-js.sqlite'),
      moreSessions('helper', 6, 2),
      anEvent('nul', 'more-1', String.raw`{"author":"a","timestamp":3,"output":"a\u0000b"}`),
      anEvent('half', 'more-2', String.raw`{"author":"a","timestamp":3,"output":"\ud800"}`),
      anEvent('deep', 'more-3', `{"author":"a","output":${'['.repeat(99)}${']'.repeat(99)}}`),
      anEvent('x'.repeat(300), 'more-4', '{"author":"a"}'),
      `UPDATE sessions SET state = '[1]' WHERE id = 'more-5'`,
      moreSessions('no app', 1, 1),
    );

    const { code, output } = await ground.import(['--from', from]);

    expect([code, output]).toEqual([1, expect.stringContaining('Not everything was imported.')]);
    const told = output.split('\n').filter((line) => line.startsWith('NOT IMPORTED'));
    expect(told).toEqual([
      expect.stringMatching(/"more-1": its event "nul" holds a NUL character in output/),
      expect.stringMatching(/"more-2": its event "half" holds half a surrogate pair/),
      expect.stringMatching(/"more-3": its event "deep" cannot be stored: .*deeper than 64/),
      expect.stringMatching(/"more-4": its event "x+…" has an id of more than 256 bytes/),
      expect.stringMatching(/"more-5": is not a JSON object/),
      expect.stringMatching(/session "no app" "ada" "more-1": appName must begin with a letter/),
    ]);
    expect(await ground.rows('SELECT id FROM adk_sessions ORDER BY id')).toEqual(
      ['asks', 'colors', 'empty', 'more-6'].map((id) => ({ id })),
    );
    expect(await ground.rows('SELECT DISTINCT session_id FROM adk_events ORDER BY 1')).toEqual(
      ['asks', 'colors', 'more-6'].map((id) => ({ session_id: id })),
    );
    expect(output).toMatch(/sessions +10 +4 +0 +6 +4\n/);

    const repaired = await ground.import(['--from', from, '--repair']);

    expect(repaired.output).toMatch(/sessions +10 +2 +4 +4 +6\n/);
  });

  it('names rows of SQLite whose texts are no UTF-8 or hold a NUL, and the others are whole', async () => {
    const from = ground.file(
      fixture('adk-js.sqlite'),
      moreSessions('helper', 2, 1),
      `UPDATE sessions SET state = CAST(x'7b2261223a22ff227d' AS text) WHERE id = 'more-1'`,
      `UPDATE sessions SET id = 'n' || char(0) WHERE id = 'more-2'; UPDATE events SET session_id = 'n' || char(0) WHERE session_id = 'more-2'`,
      `INSERT INTO user_states VALUES ('helper', CAST(x'ff' AS text), '{}', 1)`,
    );

    const { output } = await ground.import(['--from', from]);
    const repaired = await ground.import(['--from', from, '--repair']);

    expect(output.split('\n').filter((line) => line.startsWith('NOT IMPORTED'))).toEqual([
      expect.stringMatching(/user state "helper" "\\udfff": user id is not well-formed/),
      expect.stringMatching(/session "helper" "ada" "more-1": holds half a surrogate pair in a, or bytes/),
      expect.stringMatching(
        /session "helper" "ada" "n\\u0000": sessionId session id must not hold control characters/,
      ),
    ]);
    expect(output).toMatch(/sessions +5 +3 +0 +2 +3\n/);
    expect(repaired.output).toMatch(/sessions +5 +1 +3 +1 +4\n/);
    expect(await ground.rows(`SELECT state FROM adk_sessions WHERE id = 'more-1'`)).toEqual([
      { state: { a: '\ufffd' } },
    ]);
  });

  it('keeps sessions whose times are none, tells of them, and counts partial events as left out', async () => {
    const times = [`'soon'`, '-5', '9e999', '1e30', `'2025-11-20 12:00:00.5+02:00'`];
    const from = ground.file(
      fixture('adk-js.sqlite'),
      moreSessions('helper', 5, 1),
      ...times.map((time, at) => `UPDATE sessions SET create_time = ${time} WHERE id = 'more-${at + 1}'`),
      anEvent('partial', 'more-1', '{"author":"a","timestamp":3,"partial":true}'),
      anEvent('far', 'more-2', '{"author":"a","timestamp":1e300}'),
      anEvent('ago', 'more-3', '{"author":"a","timestamp":-7.5}'),
    );

    const dry = await runImportCommand(['--from', from, '--dry-run']);
    const first = await ground.import(['--from', from]);
    const second = await ground.import(['--from', from]);

    for (const { output } of [dry, first]) {
      expect(output.match(/"more-[1-4]": its create_time is no time from 1970 to 9999/g)).toHaveLength(4);
      expect(output).toContain('"more-1": 1 partial events are not kept');
    }
    expect(dry.output).toMatch(/events +15 +14 +0 +1 +-\n/);
    expect([first.code, first.output]).toEqual([0, expect.stringMatching(/events +15 +14 +0 +1 +14\n/)]);
    expect([second.code, second.output]).toEqual([0, expect.stringMatching(/events +15 +0 +14 +1 +14\n/)]);
    expect(
      await ground.rows(
        `SELECT extract(epoch FROM inserted_at)::float8 AS at FROM adk_sessions WHERE id LIKE 'more-%' ORDER BY id`,
      ),
    ).toEqual([0, 0, 0, 0, Date.parse('2025-11-20T10:00:00.500Z') / 1000].map((at) => ({ at })));
  });

  it('leaves a session alone that went on in Skein, also when it went on in the source', async () => {
    const from = ground.file(fixture('adk-js.sqlite'));
    await ground.import(['--from', from]);
    await writeEvent(ground.pool, {
      ...{ appName: 'helper', userId: 'ada', sessionId: 'colors' },
      event: { ...aSkeinEvent, actions: { ...aSkeinEvent.actions, stateDelta: { last_color: 'red' } } },
    });

    const same = await ground.import(['--from', from]);
    changeSqliteSource(from, anEvent('late', 'colors', '{"author":"a","timestamp":4}'));
    const grown = await ground.import(['--from', from]);

    expect(same).toMatchObject({ code: 0, output: expect.stringMatching(/events +7 +0 +7 +0 +7\n/) });
    expect(grown).toMatchObject({
      code: 1,
      output: expect.stringMatching(/"colors": had 4 events .* left as it is/),
    });
    expect(
      await ground.rows(
        `SELECT last_seq, state->>'last_color' AS color FROM adk_sessions WHERE id = 'colors'`,
      ),
    ).toEqual([{ last_seq: 5, color: 'red' }]);
  });

  it('notices when not all of it was stored', async () => {
    await ground.pool.query(`
      CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
      CREATE TRIGGER swallow BEFORE INSERT ON adk_events FOR EACH ROW WHEN (NEW.author = 'user')
        EXECUTE FUNCTION swallow()`);
    try {
      const { code, output } = await ground.import(['--from', ground.file(fixture('adk-js.sqlite'))]);

      expect([code, output]).toEqual([1, expect.stringContaining('7 should be in Skein, and 5 are')]);
    } finally {
      await ground.pool.query('DROP TRIGGER swallow ON adk_events; DROP FUNCTION swallow');
    }
  });

  it('loses and repeats nothing when it is killed and run again', async () => {
    const from = ground.file(fixture('adk-js.sqlite'), moreSessions('helper', 120, 60));

    const kills = [/… /, /sessions: 100 imported|100 before/];
    const codes = [];
    for (const killAt of kills) codes.push((await ground.import(['--from', from], { killAt })).code);
    const last = await ground.import(['--from', from]);

    expect(codes[0]).toBeNull();
    expect([last.code, last.output]).toEqual([0, expect.stringMatching(/events +7207 .* 7207\n/)]);
    expect(await ground.rows(DENSE)).toEqual([{ sessions: 123, events: 7207, odd: 0 }]);
  }, 60_000);

  it('stores nothing of a session that was written to while it was read, and all of it the next time', async () => {
    const from = ground.file(fixture('adk-js.sqlite'));
    const source = await openSource(from);
    const target = databaseTarget(ground.pool);
    let isWritten = false;
    const importing = runImport({
      source,
      target: {
        ...target,
        storeSession: async (session) => {
          if (session.key.sessionId === 'colors') {
            changeSqliteSource(from, `UPDATE sessions SET state = '{"late":true}' WHERE id = 'colors'`);
            isWritten = true;
          }
          return target.storeSession(session);
        },
      },
      report: new ImportReport(() => undefined),
      apps: undefined,
      as: undefined,
      repairs: false,
    });

    await expect(importing).rejects.toThrow('was written to while it was read');
    await source.close();

    expect(isWritten).toBe(true);
    expect(await ground.rows('SELECT id FROM adk_sessions')).toEqual([{ id: 'asks' }]);
    expect(await ground.import(['--from', from])).toMatchObject({
      code: 0,
      output: expect.stringMatching(/sessions +3 +2 +1 +0 +3\n/),
    });
    expect(await ground.rows(`SELECT state FROM adk_sessions WHERE id = 'colors'`)).toEqual([
      { state: { late: true } },
    ]);
  });

  it('holds a piece of a long session in memory, and no more', async () => {
    const from = ground.file(fixture('adk-js.sqlite'), moreSessions('helper', 1, 8_000, 10_000));

    const { code, output } = await ground.import(['--from', from], {
      nodeArguments: ['--max-old-space-size=72', '--max-semi-space-size=2'],
    });

    expect([code, output]).toEqual([0, expect.stringMatching(/events +8007 +8007 .* 8007\n/)]);
    expect(await ground.rows(DENSE)).toEqual([{ sessions: 4, events: 8007, odd: 0 }]);
  }, 90_000);

  it.each([
    ['unreachable', (url: URL) => (url.port = '1'), /is not reachable/],
    ['another password', (url: URL) => (url.password = 'wrong-secret'), /refuses the password/],
    ['another database', (url: URL) => (url.pathname = '/nowhere'), /has no such database/],
    ['no session database', () => undefined, /no table sessions/],
  ])('says what is wrong with a source, and no password: %s', async (_, change, sentence) => {
    const url = new URL(ground.url);
    const { password } = url;
    change(url);

    const { code, output } = await ground.import(['--from', url.href]);

    expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
    expect(output).not.toContain(password);
    expect(output).not.toContain('wrong-secret');
  });

  it('says how it is asked for when it was asked wrongly', async () => {
    expect(await ground.import(['--what'])).toEqual({
      code: 2,
      output: expect.stringContaining('--from <database>'),
    });
    expect(await runImportCommand(['--from', ground.file(fixture('adk-js.sqlite'))])).toEqual({
      code: 2,
      output: expect.stringContaining('There is no database to import into'),
    });
  });

  it('reads times that a copy keeps as text, and loses nothing for one that is none', async () => {
    const from = await ground.source('adk-js.postgres');
    const text = `ALTER COLUMN create_time TYPE text USING CASE id WHEN 'asks' THEN 'soon' ELSE '1795302403188' END`;
    await inDatabase(from, `ALTER TABLE sessions ALTER COLUMN create_time DROP DEFAULT, ${text}`);

    const { code, output } = await ground.import(['--from', from]);

    expect([code, output]).toEqual([0, expect.stringContaining('"asks": its create_time is no time')]);
    expect(
      await ground.rows(`SELECT extract(epoch FROM max(inserted_at))::float8 AS at FROM adk_sessions`),
    ).toEqual([{ at: 1795302403.188 }]);
  });

  it('says which version of a schema it cannot read', async () => {
    const from = await ground.source('adk-python-v1.postgres');
    await inDatabase(from, `UPDATE adk_internal_metadata SET value = '2'`);

    expect(await ground.import(['--from', from])).toEqual({
      code: 1,
      output: expect.stringContaining('schema is of version 2'),
    });
  });
});

const aSkeinEvent = {
  ...{ id: 'here', invocationId: 'e-9', author: 'user', timestamp: 1.9e9 },
  actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
};
