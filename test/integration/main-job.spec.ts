import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { type Event } from '@skein/contracts';
import { parseNatsServers } from '@skein/messaging';
import { Client as Postgres } from 'pg';
import { Client, textOf } from '../support/client';
import { type Servers, startServers } from '../support/servers';
import { Skein } from '../support/skein';

const AGENT = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const remember = new FunctionTool({
  name: 'remember_word',
  description: 'Keeps a word, and counts in every scope of state.',
  parameters: z.object({ word: z.string() }),
  execute: ({ word }, { state }) => {
    const words = [...(state.get('words') ?? []), word];
    state.set('words', words);
    state.set('user:words', (state.get('user:words') ?? 0) + 1);
    state.set('app:words', (state.get('app:words') ?? 0) + 1);
    state.set('temp:scratch', word.toUpperCase());
    return { pid: process.pid, kept: words.length };
  },
});

export const rootAgent = new LlmAgent({
  name: 'keeper',
  tools: [remember],
  instruction: 'You kept {user:words?} words.',
  model: new ScriptedLlm({
    rules: [
      { when: /^remember_word: .*"kept":(\\d+)/, respond: (match) => 'I keep ' + match[1] + ' words now.' },
      {
        when: /keep (\\S+)/,
        respond: (match) => ({
          content: { role: 'model', parts: [{ functionCall: { name: 'remember_word', args: { word: match[1] } } }] },
        }),
      },
    ],
  }),
});
`;

describe('a conversation over four services, on a Postgres and a NATS given by URL', () => {
  let servers: Servers;
  let skein: Skein;
  let ada: Client;
  const turns: Event[][] = [];

  beforeAll(async () => {
    servers = await startServers();
    const env = { DATABASE_URL: servers.databaseUrl, NATS_URL: servers.natsUrl };
    skein = await Skein.start({ agents: { keeper: AGENT }, env });
    ada = new Client(skein.url, 'keeper', 'ada');
    await ada.createSession('s.1', { 'user:name': 'Ada' });
    for (const word of ['one', 'two']) turns.push((await ada.run('s.1', `keep ${word}`)).body);
    turns.push((await ada.runSse('s.1', 'keep three')).map(({ data }) => data));
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    await servers?.stop();
  }, 60_000);

  it('answers each turn with the call, its response and the final text', () => {
    const [first = []] = turns;
    expect(first.map(({ author }) => author)).toEqual(['keeper', 'keeper', 'keeper']);
    expect(first[0]?.content?.parts?.[0]?.functionCall?.name).toBe('remember_word');
    expect(first[1]?.content?.parts?.[0]?.functionResponse?.response).toMatchObject({ kept: 1 });
    expect(textOf(first[2])).toBe('I keep 1 words now.');
    expect(textOf(turns[1]?.at(-1))).toBe('I keep 2 words now.');
  });

  it('ran the tools in a tool-worker process, which the event names', () => {
    const response = turns[0]?.[1];
    const pid = response?.content?.parts?.[0]?.functionResponse?.response?.pid;
    expect(skein.pidsOf('tool-worker')).toContain(pid);
    expect(response?.customMetadata).toMatchObject({
      'skein.tools': [
        { tool: 'remember_word', pid, attempt: 1, worker: expect.stringMatching(/^tool-worker/) },
      ],
    });
  });

  it('streams the text token by token, then the whole event under the same id (B17)', () => {
    const streamed = turns[2] ?? [];
    const partials = streamed.filter(({ partial }) => partial);
    const last = streamed.at(-1);
    expect(partials.length).toBeGreaterThan(1);
    expect(partials.map(textOf).join('')).toBe('I keep 3 words now.');
    expect(textOf(last)).toBe('I keep 3 words now.');
    expect(last?.partial).toBeFalsy();
    expect(new Set([...partials, last].map((event) => event?.id)).size).toBe(1);
  });

  it('stored every whole event once, in dense order, and no partial one', async () => {
    const { rows } = await query<{ seq: string; id: string; partial: boolean | null; author: string }>(
      'select seq, id, partial, author from adk_events order by seq',
    );
    expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_row, index) => index + 1));
    expect(rows).toHaveLength(3 * 4);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    expect(rows.some(({ partial }) => partial)).toBe(false);
    expect(rows.filter(({ author }) => author === 'user')).toHaveLength(3);
  });

  it('routed state by prefix, without it, and kept no temp: key anywhere (B57)', async () => {
    const [session] = (await query<{ state: unknown }>('select state from adk_sessions')).rows;
    const [user] = (await query<{ state: unknown }>('select state from adk_user_states')).rows;
    const [app] = (await query<{ state: unknown }>('select state from adk_app_states')).rows;
    expect(session?.state).toEqual({ words: ['one', 'two', 'three'] });
    expect(user?.state).toEqual({ name: 'Ada', words: 3 });
    expect(app?.state).toEqual({ words: 3 });

    const everything = await query<{ stored: string }>(
      `select string_agg(t::text, ' ') as stored from (
         select to_jsonb(e)::text as t from adk_events e union all
         select to_jsonb(s)::text from adk_sessions s union all
         select to_jsonb(j)::text from adk_journal j) everything`,
    );
    expect(everything.rows[0]?.stored).toContain('remember_word');
    expect(everything.rows[0]?.stored).not.toContain('temp:scratch');
  });

  it('finished every invocation and applied every tool call', async () => {
    const invocations = await query('select distinct status from adk_invocations');
    const calls = await query('select status, applied_seq is not null as applied from adk_tool_calls');
    expect(invocations.rows).toEqual([{ status: 'completed' }]);
    expect(calls.rows).toEqual(Array.from({ length: 3 }, () => ({ status: 'done', applied: true })));
    expect((await query('select * from adk_journal')).rows).toEqual([]);
  });

  it('published every stored event once, in order, on the stream a subscriber would read', async () => {
    const nats = await connect({ ...parseNatsServers(servers.natsUrl) });
    const { streams } = await jetstreamManager(nats);
    const info = await streams.info('EVENTS', { subjects_filter: 'event.>' });
    await nats.close();
    expect(info.state.messages).toBe(12);
    expect(Object.keys(info.state.subjects ?? {})).toEqual([expect.stringMatching(/^event\.keeper\.ada\._/)]);
  });

  it('left nothing in the work queues', async () => {
    const nats = await connect({ ...parseNatsServers(servers.natsUrl) });
    const { streams } = await jetstreamManager(nats);
    const left = await Promise.all(
      ['RUNS', 'TOOLS', 'RESULTS'].map(async (name) => (await streams.info(name)).state.messages),
    );
    await nats.close();
    expect(left).toEqual([0, 0, 0]);
  });

  it('shows a user only his own session, also when another one has the same id', async () => {
    const bob = new Client(skein.url, 'keeper', 'bob');
    expect((await bob.request('GET', bob.sessionPath('s.1'))).status).toBe(404);
    await bob.createSession('s.1');
    await bob.run('s.1', 'keep mine');

    const [his, hers] = [await bob.getSession('s.1'), await ada.getSession('s.1')];

    expect(his.state).toMatchObject({ words: ['mine'], 'user:words': 1, 'app:words': 4 });
    expect(his.state).not.toHaveProperty('user:name');
    expect(his.events).toHaveLength(4);
    expect(hers.state).toMatchObject({ words: ['one', 'two', 'three'], 'user:words': 3, 'user:name': 'Ada' });
    expect(hers.events).toHaveLength(12);
  });

  async function query<T extends object>(sql: string) {
    const postgres = new Postgres({ connectionString: servers.databaseUrl });
    await postgres.connect();
    try {
      return await postgres.query<T>(sql);
    } finally {
      await postgres.end();
    }
  }
});
