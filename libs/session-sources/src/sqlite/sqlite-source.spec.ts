import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toEvent } from '../event/to-event';
import { type SessionSource } from '../session-source';
import { loadSqlite } from './sqlite-driver';
import { openSqliteSource } from './sqlite-source';

const folder = mkdtempSync(path.join(tmpdir(), 'skein-sqlite-'));
let sqlite: Awaited<ReturnType<typeof loadSqlite>>;
beforeAll(async () => {
  sqlite = await loadSqlite();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file made of SQL. */
function aDatabase(name: string, ...statements: readonly string[]): string {
  const file = path.join(folder, `${name}.db`);
  const database = new sqlite.Database(file);
  for (const sql of statements) database.exec(sql);
  database.close();
  return file;
}

function fixture(name: string): string {
  return readFileSync(path.join(__dirname, '..', '__fixtures__', `${name}.sqlite.sql`), 'utf8');
}

async function allOf(source: SessionSource) {
  const sessions = [];
  for await (const session of source.sessions()) {
    const events = [];
    for await (const piece of session.readEvents()) {
      events.push(...piece.map((row) => toEvent(row, { repairs: false })));
    }
    sessions.push({ ...session, state: await session.readState(), events });
  }
  const states = [];
  for await (const state of source.states()) states.push(state);
  return { sessions, states };
}

describe('a SQLite file', () => {
  it.each(['adk-python-web', 'adk-python-v1'])(
    'of %s is read, in microseconds and in order',
    async (name) => {
      const source = await openSqliteSource(aDatabase(name, fixture(name)), undefined);

      const { sessions, states } = await allOf(source);
      const counts = await source.count();
      await source.assertUnchanged();
      await source.close();

      expect(counts).toEqual({ sessions: 2, events: 4, orphanEvents: 0, appStates: 1, userStates: 1 });
      expect(sessions.map(({ userId, eventCount }) => [userId, eventCount])).toEqual([
        ['ada', 4],
        ['zoë', 0],
      ]);
      expect(sessions[0]).toMatchObject({ createdSeconds: 1763639999.25, updatedSeconds: 1763640002.000001 });
      // Of one time, by the order they were stored in, which is not that of their ids.
      expect(sessions[0]?.events.map(({ id, timestamp }) => [id.slice(0, 4), timestamp])).toEqual([
        ['1111', 1763640000.123456],
        ['9999', 1763640001.5],
        ['0000', 1763640001.5],
        ['2222', 1763640002.000001],
      ]);
      expect(states.map(({ appName, userId, state }) => [appName, userId, state])).toEqual([
        ['weather', undefined, '{"asked_count": 12}'],
        ['weather', 'ada', '{"home_city": "Oslo"}'],
      ]);
    },
  );

  it('of adk-js is read, from milliseconds', async () => {
    const source = await openSqliteSource(aDatabase('adk-js', fixture('adk-js')), undefined);

    const { sessions } = await allOf(source);
    await source.close();

    expect(sessions.map(({ sessionId, eventCount }) => [sessionId, eventCount])).toEqual([
      ['asks', 3],
      ['colors', 4],
      ['empty', 0],
    ]);
    expect(sessions[1]).toMatchObject({
      createdSeconds: 1795302403.188,
      state: expect.stringContaining('noon'),
    });
    expect(sessions[1]?.events[2]).toMatchObject({
      timestamp: 1795302403.522,
      content: {
        parts: [{ functionResponse: { response: { kept_color: 'green', nestedKey: { snake_key: 1 } } } }],
      },
      actions: { stateDelta: { last_color: 'green', 'user:known_Colors': ['green'], 'app:total_count': 7 } },
    });
  });

  it('gives one app alone, and counts events whose session is gone', async () => {
    const file = aDatabase('orphan', fixture('adk-js'), `DELETE FROM sessions WHERE id = 'asks'`);

    const whole = await openSqliteSource(file, undefined);
    const other = await openSqliteSource(file, ['other']);

    expect(await whole.count()).toMatchObject({ sessions: 2, events: 4, orphanEvents: 3 });
    expect((await allOf(whole)).sessions.map(({ eventCount }) => eventCount)).toEqual([4, 0]);
    expect(await other.count()).toEqual({
      sessions: 0,
      events: 0,
      orphanEvents: 0,
      appStates: 0,
      userStates: 0,
    });
    await Promise.all([whole.close(), other.close()]);
  });

  it('is not touched, nor is its folder', async () => {
    const file = aDatabase('untouched', fixture('adk-js'));
    const [before, bytes] = [readdirSync(folder), readFileSync(file)];

    const source = await openSqliteSource(file, undefined);
    for await (const session of source.sessions()) {
      expect(session.sessionId).not.toBe('');
      expect(readdirSync(folder)).toEqual(before);
    }
    await source.close();

    expect(readFileSync(file)).toEqual(bytes);
  });

  it('gives bytes that are no UTF-8, and NUL, as what is told of, and loses none in silence', async () => {
    const file = aDatabase(
      'bytes',
      fixture('adk-js'),
      `INSERT INTO sessions VALUES (CAST(x'61ff62' AS text), 'helper', 'ada', '{}', 1, 2), ('n' || char(0) || 'ul', 'helper', 'ada', '{}', 1, 2)`,
      // Latin-1: read as UTF-8 without a look it would eat the two letters behind it.
      `INSERT INTO events VALUES ('latin', 'helper', 'ada', 'colors', 'e-1', 9999,
         CAST(CAST('{"author":"a","timestamp":1,"output":"caf' AS blob) || x'e9' || CAST('ab"}' AS blob) AS text))`,
    );
    const source = await openSqliteSource(file, undefined);

    const found: [string, number, string | undefined][] = [];
    for await (const session of source.sessions()) {
      let first: string | undefined;
      for await (const rows of session.readEvents()) first ??= rows[0]?.data;
      found.push([session.sessionId, session.eventCount, first]);
    }
    await source.close();

    expect(found.map(([id, count]) => [id, count])).toEqual([
      ['asks', 3],
      ['a\udfffb', 0],
      ['colors', 5],
      ['n\0ul', 0],
      ['empty', 0],
    ]);
    const latin = {
      id: 'x',
      invocationId: 'e',
      seconds: 1,
      data: found.find(([id]) => id === 'colors')?.[2],
      bytes: 1,
    };
    expect(latin.data).toContain('caf\udfffab');
    expect(() => toEvent(latin, { repairs: false })).toThrow('bytes that are not UTF-8');
    expect(toEvent(latin, { repairs: true }).output).toBe('caf\ufffdab');
  });

  it('is told to have been written to meanwhile', async () => {
    const file = aDatabase('written', fixture('adk-js'));
    const source = await openSqliteSource(file, undefined);

    aDatabase('written', `DELETE FROM events WHERE session_id = 'asks'`);

    await expect(source.assertUnchanged()).rejects.toThrow('written to while it was read');
    await source.close();
  });

  it.each([
    ['no database', () => file('text.db', 'a text of some length'), 'is not a SQLite database'],
    ['empty', () => file('empty.db', ''), 'is not a SQLite database'],
    ['a database of something else', () => aDatabase('else', 'CREATE TABLE t (a)'), 'no table sessions'],
    ['of schema 0', () => aDatabase('v0', fixture('adk-python-v0')), 'adk migrate session'],
    ['in a transaction', () => besides('locked', '-journal'), 'locked'],
    ['with a log beside it', () => besides('logged', '-wal'), 'locked'],
    ['one that keeps a write-ahead log', writeAhead, 'write-ahead log'],
    ['cut off', cutOff, 'cannot be read'],
    ['of UTF-16', () => utf16('le', 2), 'holds its texts in UTF-16'],
    ['of UTF-16, the other way round', () => utf16('be', 3), 'sqlite3 FILE .dump | sqlite3 NEW'],
  ])('is refused when it is %s', async (_, make, sentence) => {
    const source = openSqliteSource(make(), undefined).then(async (opened) => {
      await allOf(opened);
    });

    await expect(source).rejects.toThrow(sentence);
  });
});

function file(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

function besides(name: string, suffix: string): string {
  const database = aDatabase(name, fixture('adk-js'));
  writeFileSync(database + suffix, 'something');
  return database;
}

function writeAhead(): string {
  const database = aDatabase('ahead', fixture('adk-js'));
  const bytes = readFileSync(database);
  bytes.set([2, 2], 18);
  writeFileSync(database, bytes);
  return database;
}

/** The driver writes none: what tells it stands in the header. */
function utf16(name: string, encoding: number): string {
  const database = aDatabase(name, fixture('adk-js'));
  const bytes = readFileSync(database);
  bytes.writeUInt32BE(encoding, 56);
  writeFileSync(database, bytes);
  return database;
}

function cutOff(): string {
  const database = aDatabase('cut', fixture('adk-js'));
  writeFileSync(database, readFileSync(database).subarray(0, 9000));
  return database;
}
