import { type Event, type InvocationState } from '@skein/contracts';
import { openStore } from '@skein/session-store';
import { type Answer, Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/** Asks somebody outside, and goes on with a slow tool once that was answered. */
const AGENT = `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const calls = (...names) => ({
  content: { role: 'model', parts: names.map((name) => ({ functionCall: { name, args: {} } })) },
});
const text = (value) => ({ content: { role: 'model', parts: [{ text: value }] } });

const approve = new FunctionTool({
  name: 'approve',
  description: 'Asks a human, who answers later.',
  isLongRunning: true,
  execute: () => undefined,
});
const slow = new FunctionTool({
  name: 'slow_tool',
  description: 'Takes a second.',
  execute: async (_args, { state }) => {
    console.log('slow_tool begins');
    state.set('runs', (state.get('runs') ?? 0) + 1);
    await pause(1_000);
    return 'done';
  },
});
const responses = SCRIPT;
export const rootAgent = new LlmAgent({
  name: 'asking',
  tools: [approve, slow],
  model: new ScriptedLlm({ responses }),
});
`;

const agentWith = (script: string): string => AGENT.replace('SCRIPT', script);

const agents = {
  polite: agentWith(`[calls('approve'), text('Nice weather.'), text('Thanks for the yes.')]`),
  patient: agentWith(`[calls('approve'), calls('slow_tool'), text('It took its time.')]`),
  hasty: agentWith(`[calls('approve', 'slow_tool'), text('Noted.'), text('Noted.')]`),
};

let skein: Skein;

beforeAll(async () => {
  skein = await Skein.start({ agents, env: { LEASE_MS: '2000', SWEEP_MS: '300' } });
}, 120_000);

afterAll(() => skein?.stop(), 60_000);

describe('an invocation that waits for a human', () => {
  it('lets the chat go on, and goes on itself with the answer, under the same id (B47)', async () => {
    const client = new Client(skein.url, 'polite');
    await client.createSession('s');
    const asked = await client.run('s', 'may I?');
    const [call] = callsOf(asked);
    expect(await statusOf(client, 's', asked)).toMatchObject({ status: 'waiting', segment: 0 });

    const chat = await client.run('s', 'how is the weather?');
    const wrong = await client.run('s', '', { newMessage: responseTo('unknown') });
    const answered = await answerTo(client, 's', call, { 'idempotency-key': 'yes' });
    const again = await answerTo(client, 's', call, { 'idempotency-key': 'yes' });

    expect(textOf(chat.body[0])).toBe('Nice weather.');
    expect(chat.headers.get('x-invocation-id')).not.toBe(asked.headers.get('x-invocation-id'));
    expect(wrong).toMatchObject({ status: 422, body: { code: 'message.unmatched-response' } });
    expect(answered.headers.get('x-invocation-id')).toBe(asked.headers.get('x-invocation-id'));
    expect(answered.body.map(textOf)).toEqual(['Thanks for the yes.']);
    expect(again.body).toEqual(answered.body);
    expect(await statusOf(client, 's', asked)).toMatchObject({ status: 'completed', segment: 1 });
    const { events } = await client.getSession('s');
    expect(events.map(({ author }) => author)).toEqual([
      'user',
      'asking',
      'user',
      'asking',
      'user',
      'asking',
    ]);
    expect(await seqsOf('s')).toEqual([1, 2, 3, 4, 5, 6]);
  }, 60_000);

  it('takes an answer that comes before it waits (B47)', async () => {
    const client = new Client(skein.url, 'hasty');
    await client.createSession('early');
    const first = client.run('early', 'may I?');
    const call = await waitUntil('the call to be stored', async () => {
      const { events } = await client.getSession('early');
      return events.flatMap(functionCallsOf).find(({ name }) => name === 'approve');
    });

    const answered = await answerTo(client, 'early', call);
    const asked = await first;

    expect(answered.headers.get('x-invocation-id')).toBe(asked.headers.get('x-invocation-id'));
    expect(answered.body.map(textOf)).toEqual(['Noted.']);
    expect(await statusOf(client, 'early', asked)).toMatchObject({ status: 'completed', segment: 1 });
    const { events } = await client.getSession('early');
    const shown = [...asked.body, ...answered.body].map(({ id }) => id);
    expect(events.filter(({ author }) => author !== 'user').map(({ id }) => id)).toEqual(shown);
  }, 60_000);

  it('is taken up by another runner when its own is killed in the second segment', async () => {
    const client = new Client(skein.url, 'patient');
    await client.createSession('crash');
    const asked = await client.run('crash', 'may I?');
    const begun = skein.log().match(/slow_tool begins/g)?.length ?? 0;
    const answer = answerTo(client, 'crash', callsOf(asked)[0]);
    await waitUntil(
      'the slow tool',
      () => (skein.log().match(/slow_tool begins/g)?.length ?? 0) > begun || undefined,
    );
    const requests = () => skein.modelRequests().filter(({ sessionId }) => sessionId === 'crash');
    const owner = await waitUntil('the second request', () => requests()[1]?.pid);

    process.kill(owner, 'SIGKILL');
    const answered = await answer;

    expect(textOf(answered.body.at(-1))).toBe('It took its time.');
    expect(answered.body).toHaveLength(3);
    expect(requests().map(({ ordinal }) => ordinal)).toEqual([0, 1, 2]);
    expect(requests()[2]?.pid).not.toBe(owner);
    const { events, state } = await client.getSession('crash');
    expect(state).toMatchObject({ runs: 1 });
    expect(new Set(events.map(({ invocationId }) => invocationId)).size).toBe(1);
    expect(await seqsOf('crash')).toEqual(events.map((_event, index) => index + 1));
  }, 60_000);
});

interface Call {
  readonly id?: string | undefined;
  readonly name: string;
}

function functionCallsOf({ content }: Event): Call[] {
  return (content?.parts ?? []).flatMap(({ functionCall }) => functionCall ?? []);
}

function callsOf({ body }: Answer<Event[]>): Call[] {
  return body.flatMap(functionCallsOf);
}

function responseTo(id: string | undefined, name = 'approve') {
  return { role: 'user', parts: [{ functionResponse: { id, name, response: { approved: true } } }] };
}

function answerTo(
  client: Client,
  sessionId: string,
  call: Call | undefined,
  headers: Record<string, string> = {},
): Promise<Answer<Event[]>> {
  return client.run(sessionId, '', { newMessage: responseTo(call?.id) }, headers);
}

async function statusOf(client: Client, sessionId: string, run: Answer<unknown>): Promise<InvocationState> {
  const path = `${client.sessionPath(sessionId)}/invocations/${run.headers.get('x-invocation-id')}`;
  return (await client.request<InvocationState>('GET', path)).body;
}

async function seqsOf(sessionId: string): Promise<number[]> {
  const store = await openStore({ databaseUrl: skein.databaseUrl, applicationName: 'test', poolSize: 1 });
  const { rows } = await store.pool.query<{ seq: number }>(
    'SELECT seq FROM adk_events WHERE session_id = $1 ORDER BY seq',
    [sessionId],
  );
  await store.close();
  return rows.map(({ seq }) => seq);
}
