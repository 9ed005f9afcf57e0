import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createSession, readSession } from '@skein/session-store';
import { ImportGround } from './import-ground';
import { fixture, anEvent, moreSessions, makeSqliteSource, runImportCommand } from './import-harness';

const ground = ImportGround.ofSpec();

/** All that an import writes, to the letter. */
async function everything(): Promise<string> {
  const tables = ['adk_sessions', 'adk_events', 'adk_app_states', 'adk_user_states', 'adk_imports'];
  const dumps = await Promise.all(
    tables.map((table) =>
      ground.rows(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`),
    ),
  );
  return JSON.stringify(dumps);
}

const wholeWeather = {
  id: 's1',
  state: { last_city: 'Oslo', units: 'metric', 'user:home_city': 'Oslo', 'app:asked_count': 12 },
  lastUpdateTime: 1763640002.000001,
  events: [
    {
      author: 'user',
      timestamp: 1763640000.123456,
      content: { parts: [{ text: 'How warm is it in Oslo?' }] },
    },
    {
      modelVersion: 'gemini-2.5-flash',
      usageMetadata: { promptTokensDetails: [{ modality: 'TEXT', tokenCount: 3 }] },
      content: {
        parts: [
          { thought: true },
          {
            thoughtSignature: '+/+/AQ==',
            functionCall: { id: 'adk-91d0', args: { city_name: 'Oslo', opts: { unit_type: 'c' } } },
          },
        ],
      },
    },
    {
      timestamp: 1763640001.5,
      content: { parts: [{ functionResponse: { response: { station_info: { station_id: 'x_1' } } } }] },
      actions: {
        stateDelta: { last_city: 'Oslo', 'user:home_city': 'Oslo', 'app:asked_count': 12 },
        artifactDelta: { 'map_image.png': 0 },
        requestedAuthConfigs: {
          'adk-91d0': {
            authScheme: {
              type: 'oauth2',
              flows: { authorizationCode: { scopes: { read_all: 'Read all' } } },
            },
            rawAuthCredential: {
              authType: 'oauth2',
              oauth2: { clientId: 'id', redirectUri: 'https://b.example' },
            },
          },
        },
      },
    },
    {
      timestamp: 1763640002.000001,
      branch: 'root.forecaster',
      turnComplete: true,
      futureField: { kept_as: 'it_is' },
      customMetadata: { my_key: { inner_key: 1 } },
      groundingMetadata: { groundingChunks: [{ web: { title: 't' } }], webSearchQueries: ['oslo weather'] },
      content: {
        parts: [{}, { inlineData: { data: '/+8BAg==', mimeType: 'image/png', displayName: 'a_b.png' } }],
      },
      actions: { compaction: { startTimestamp: 1763640000.1, compactedContent: { role: 'model' } } },
    },
  ],
};

describe('skein import', () => {
  it.each([
    ['adk-python in PostgreSQL', 'adk-python-v1.postgres'],
    ['adk-python in SQLite', 'adk-python-v1.sqlite'],
    ['adk web', 'adk-python-web.sqlite'],
  ])('brings all of %s, and again changes nothing', async (_, name) => {
    const from = await ground.source(name);

    const first = await ground.import(['--from', from]);
    const stored = await everything();
    const second = await ground.import(['--from', from]);

    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('All of it is in Skein.') });
    const session = await readSession(ground.pool, { appName: 'weather', userId: 'ada', sessionId: 's1' });
    expect(session).toMatchObject(wholeWeather);
    expect(second).toMatchObject({ code: 0, output: expect.stringMatching(/sessions +2 +0 +2 +0 +2\n/) });
    expect(await everything()).toBe(stored);
    expect(
      await ground.rows(
        'SELECT user_id, last_seq, published_seq, owner_epoch, initial_state FROM adk_sessions ORDER BY 1',
      ),
    ).toEqual([
      { user_id: 'ada', last_seq: 4, published_seq: 4, owner_epoch: 0, initial_state: { units: 'metric' } },
      { user_id: 'zoë', last_seq: 0, published_seq: 0, owner_epoch: 0, initial_state: {} },
    ]);
  });

  it.each(['adk-js.postgres', 'adk-js.sqlite'])('brings all of %s', async (name) => {
    const from = await ground.source(name);

    const { code, output } = await ground.import(['--from', from]);

    expect([code, output]).toEqual([0, expect.stringMatching(/events +7 +7 +0 +0 +7\n/)]);
    const colors = await readSession(ground.pool, {
      appName: 'helper',
      userId: 'ada',
      sessionId: 'colors',
    });
    expect(colors).toMatchObject({
      state: {
        greeted_at: 'noon',
        last_color: 'green',
        'app:motto': 'be kind',
        'app:total_count': 7,
        'user:name': 'Ada',
        'user:known_Colors': ['green'],
      },
      events: [
        { author: 'user' },
        { finishReason: 'STOP' },
        { author: 'assistant' },
        { finishReason: 'STOP' },
      ],
    });
    expect(colors?.events.every(({ timestamp }) => timestamp > 1.79e9 && timestamp < 1.8e9)).toBe(true);
    const asks = await readSession(ground.pool, { appName: 'helper', userId: 'ada', sessionId: 'asks' });
    expect(asks?.events[2]).toMatchObject({
      content: { parts: [{ functionCall: { args: { originalFunctionCall: { name: 'danger' } } } }] },
      longRunningToolIds: [expect.stringMatching(/^adk-/)],
    });
  });

  it('imports one app alone, under another name', async () => {
    const from = ground.file(fixture('adk-js.sqlite'), moreSessions('other', 2, 1));

    const { code, output } = await ground.import([
      '--from',
      from,
      '--app',
      'helper',
      '--as',
      'assistant_app',
    ]);

    expect([code, output]).toEqual([0, expect.stringMatching(/sessions +3 +3 /)]);
    expect(await ground.rows('SELECT DISTINCT app_name FROM adk_sessions')).toEqual([
      { app_name: 'assistant_app' },
    ]);
    expect(await ground.rows('SELECT app_name FROM adk_app_states')).toEqual([{ app_name: 'assistant_app' }]);
  });

  it('imports some apps, and names those there are when one is asked for that is not there', async () => {
    const from = ground.file(
      fixture('adk-js.sqlite'),
      ...['one', 'two', 'three'].map((app) => moreSessions(app, 2, 1)),
    );

    const some = await ground.import(['--from', from, '--app', 'one', '--app', 'three']);
    const none = await ground.import(['--from', from, '--app', 'one', '--app', 'four']);

    expect([some.code, some.output]).toEqual([0, expect.stringMatching(/sessions +4 +4 +0 +0 +4\n/)]);
    expect(await ground.rows('SELECT DISTINCT app_name FROM adk_sessions ORDER BY 1')).toEqual([
      { app_name: 'one' },
      { app_name: 'three' },
    ]);
    expect(none).toEqual({
      code: 1,
      output: expect.stringMatching(/no app "four" in .*; it has "helper", "one", "three", "two"\./),
    });
  });

  it.each(['adk-js.postgres', 'adk-js.sqlite'])('tells the apps of %s', async (name) => {
    const from = await ground.source(name);

    const none = await ground.import(['--from', from, '--app', 'Helper']);
    const one = await ground.import(['--from', from, '--app', 'helper']);

    expect(none).toEqual({
      code: 1,
      output: expect.stringMatching(/no app "Helper" in .*; it has "helper"/),
    });
    expect(one).toMatchObject({ code: 0, output: expect.stringMatching(/sessions +3 +3 /) });
  });

  it('does not take an app under another name for one of that name, though their sessions have the same ids', async () => {
    const from = ground.file(
      fixture('adk-js.sqlite'),
      moreSessions('my_agent', 2, 1),
      moreSessions('my-agent', 2, 1),
    );

    const renamed = await ground.import(['--from', from, '--app', 'my_agent', '--as', 'my-agent']);
    const same = await ground.import(['--from', from, '--app', 'my-agent']);
    const again = await ground.import(['--from', from, '--app', 'my_agent', '--as', 'my-agent']);

    expect(renamed).toMatchObject({ code: 0, output: expect.stringMatching(/sessions +2 +2 +0 +0 +2\n/) });
    expect(same).toMatchObject({ code: 1, output: expect.stringMatching(/sessions +2 +0 +0 +2 +0\n/) });
    expect(same.output).toMatch(/"more-1": was imported from .* \(app my_agent\); it is left as it is/);
    expect(again).toMatchObject({ code: 0, output: expect.stringMatching(/sessions +2 +0 +2 +0 +2\n/) });
  });

  it.each(['IMPORT_FROM', 'IMPORT_FROM_FILE'])('is told its source by %s', async (name) => {
    const from = await ground.source('adk-js.postgres');
    const file = path.join(ground.folder, 'from.txt');
    writeFileSync(file, `${from}\n`);

    const { code, output } = await ground.import([], {
      environment: { [name]: name === 'IMPORT_FROM' ? from : file },
    });

    expect([code, output]).toEqual([0, expect.stringMatching(/sessions +3 +3 /)]);
    expect(output).not.toContain(new URL(from).password);
  });

  it('checks everything and stores nothing on a dry run, which needs no database', async () => {
    const { code, output } = await runImportCommand([
      '--from',
      ground.file(fixture('adk-js.sqlite')),
      '--dry-run',
    ]);

    expect([code, output]).toEqual([0, expect.stringContaining('All of it can be imported.')]);
    expect(await ground.rows('SELECT 1 FROM adk_sessions')).toEqual([]);
  });

  it('leaves what Skein has: sessions of its own, and values of state that are newer', async () => {
    const own = { appName: 'helper', userId: 'ada', sessionId: 'colors' };
    await createSession(ground.pool, { ...own, state: { mine: 1, 'app:motto': 'be quick' } });

    const from = ground.file(fixture('adk-js.sqlite'));
    const { code, output } = await ground.import(['--from', from]);

    expect(code).toBe(1);
    expect(output).toContain(
      'NOT IMPORTED session "helper" "ada" "colors": a session of that name is in Skein',
    );
    expect(output).toContain('app state "helper": Skein keeps its own value of motto');
    expect(await readSession(ground.pool, own)).toMatchObject({
      events: [],
      state: { mine: 1, 'app:motto': 'be quick', 'app:total_count': 7 },
    });
    expect(output).toMatch(/sessions +3 +2 +0 +1 +2\n/);
  });

  it('tells of sessions that went on in the source, and imports the new ones', async () => {
    const from = ground.file(fixture('adk-js.sqlite'));
    await ground.import(['--from', from]);
    makeSqliteSource(
      from,
      fixture('adk-js.sqlite'),
      moreSessions('helper', 1, 2),
      anEvent('late', 'colors', '{}'),
    );

    const { code, output } = await ground.import(['--from', from]);

    expect(code).toBe(1);
    expect(output).toContain('"colors": had 4 events when it was imported and has 5 now');
    expect(output).toMatch(/sessions +4 +1 +2 +1 +4\n/);
  });
});
