import { type Event, type InvocationStatus } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const AGENT = `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, LongRunningFunctionTool, ScriptedLlm } from '@skein/adk';

const slow = new FunctionTool({
  name: 'slow',
  description: 'Takes a minute, unless it is told to stop.',
  execute: async (_args, { signal, state }) => {
    console.log('slow begins');
    signal.addEventListener('abort', () => console.log('slow is told to stop'));
    await pause(60_000, undefined, { signal });
    state.set('late', true);
    return 'late';
  },
});
const ask = new LongRunningFunctionTool({ name: 'ask', description: 'Asks a human.', execute: () => undefined });
const call = (name) => ({ content: { role: 'model', parts: [{ functionCall: { name, args: {} } }] } });

export const rootAgent = new LlmAgent({
  name: 'busy',
  tools: [slow, ask],
  model: new ScriptedLlm({
    rules: [
      { when: /^think/, respond: () => pause(60_000, 'at last', { ref: false }) },
      { when: /^use the tool/, respond: () => call('slow') },
      { when: /^ask/, respond: () => call('ask') },
      { when: /^.*/, respond: ([said]) => 'done: ' + said },
    ],
  }),
});
`;

let skein: Skein;
let client: Client;
let sessions = 0;

beforeAll(async () => {
  skein = await Skein.start({ agents: { busy: AGENT } });
  client = new Client(skein.url, 'busy');
}, 120_000);
afterAll(() => skein?.stop(), 60_000);

interface Invocation {
  readonly invocationId: string;
  readonly status: InvocationStatus;
}

async function aSession(): Promise<string> {
  const id = `s-${++sessions}`;
  await client.createSession(id);
  return id;
}

function pathOf(session: string, id = ''): string {
  return `${client.sessionPath(session)}/invocations${id && `/${id}`}`;
}

async function invocationsOf(session: string): Promise<readonly Invocation[]> {
  const { body } = await client.request<{ invocations: Invocation[] }>('GET', pathOf(session));
  return body.invocations;
}

/** The session's newest invocation, once it stands so. */
async function until(session: string, status: InvocationStatus): Promise<string> {
  const { invocationId } = await waitUntil(`an invocation that is ${status}`, async () =>
    (await invocationsOf(session)).find((invocation) => invocation.status === status),
  );
  return invocationId;
}

const cancel = (session: string, id: string) =>
  client.request<Invocation>('POST', `${pathOf(session, id)}/cancel`);

/** Cancels, and waits for the end of what was asked; the time that took is what a client waits. */
async function cancelled<T>(session: string, id: string, shown: Promise<T>): Promise<T> {
  const begin = performance.now();
  expect((await cancel(session, id)).status).toBe(200);
  const events = await shown;
  expect(performance.now() - begin).toBeLessThan(2_000);
  return events;
}

async function logOf(session: string): Promise<readonly Event[]> {
  const { events } = await client.getSession(session);
  return events;
}

const end = { errorCode: 'invocation.cancelled' };
const ends = (events: readonly Event[]) => events.filter(({ errorCode }) => errorCode === end.errorCode);

describe('row 40: cancel', () => {
  it('while the model thinks: the stream ends with the event that says so, within 2 s', async () => {
    const session = await aSession();
    const shown = client.runSse(session, 'think');
    const id = await until(session, 'running');
    await waitUntil('the model to be asked', () =>
      skein.modelRequests().find((r) => r.sessionId === session),
    );

    const frames = await cancelled(session, id, shown);

    expect(frames.at(-1)?.data).toMatchObject(end);
    expect(await logOf(session)).toMatchObject([{ author: 'user' }, end]);
    expect((await cancel(session, id)).body.status).toBe('cancelled');
    expect(ends(await logOf(session))).toHaveLength(1);
  }, 60_000);

  it('while a tool runs: the call is answered, the worker told, and what it gives is dropped', async () => {
    const session = await aSession();
    const shown = client.runSse(session, 'use the tool');
    await skein.untilLogged(/slow begins/);

    await cancelled(session, await until(session, 'running'), shown);

    await skein.untilLogged(/slow is told to stop/);
    expect(await logOf(session)).toMatchObject([
      { author: 'user' },
      { author: 'busy' },
      { author: 'busy', content: { parts: [{ functionResponse: { name: 'slow' } }] } },
      end,
    ]);
    const { body } = await client.run(session, 'and now?');
    expect(textOf(body.at(-1))).toBe('done: and now?');
    expect((await client.getSession(session)).state).not.toHaveProperty('late');
  }, 60_000);

  it('while it is queued: at once, and what runs goes on', async () => {
    const session = await aSession();
    const running = client.runSse(session, 'think');
    const first = await until(session, 'running');
    const waiting = client.runSse(session, 'never mind');
    const second = await until(session, 'queued');

    const frames = await cancelled(session, second, waiting);

    expect(frames.map(({ data }) => data)).toMatchObject([end]);
    expect(await invocationsOf(session)).toMatchObject([
      { invocationId: second, status: 'cancelled' },
      { invocationId: first, status: 'running' },
    ]);
    await cancelled(session, first, running);
    expect(JSON.stringify(await logOf(session))).not.toContain('never mind');
  }, 60_000);

  it('row 43: while a human is waited for: the later answer is refused, the chat goes on', async () => {
    const session = await aSession();
    const frames = await client.runSse(session, 'ask');
    const [call] = frames.flatMap(({ data }) => data.content?.parts ?? []);
    const id = await until(session, 'waiting');

    await cancelled(session, id, Promise.resolve());

    const answer = { functionResponse: { id: call?.functionCall?.id ?? '', name: 'ask', response: {} } };
    const late = await client.run(session, { role: 'user', parts: [answer] });
    expect([late.status, late.body]).toMatchObject([409, { code: 'invocation.cancelled' }]);
    expect(await until(session, 'cancelled')).toBe(id);
    expect((await client.run(session, 'hello')).body.map(textOf)).toEqual(['done: hello']);
  }, 60_000);

  it('while it finishes: whichever is first, one end, and every time the next turn works', async () => {
    for (let round = 0; round < 25; round++) {
      const session = await aSession();
      const answered = client.run(session, 'quick');
      const id = await waitUntil('the run', async () => (await invocationsOf(session))[0]?.invocationId);

      await cancelled(session, id, answered);

      const [{ status } = { status: undefined }] = await invocationsOf(session);
      expect(['completed', 'cancelled']).toContain(status);
      expect(ends(await logOf(session))).toHaveLength(status === 'cancelled' ? 1 : 0);
      expect((await client.run(session, 'next')).body.map(textOf)).toEqual(['done: next']);
    }
  }, 120_000);

  it('ends a run whose runner is frozen, and what that stores afterwards is fenced', async () => {
    const session = await aSession();
    const shown = client.runSse(session, 'think');
    const id = await until(session, 'running');
    const asked = await waitUntil('the model to be asked', () =>
      skein.modelRequests().find((request) => request.sessionId === session),
    );
    process.kill(asked.pid, 'SIGSTOP');
    try {
      const begin = performance.now();
      await cancel(session, id);
      const frames = await shown;
      expect(performance.now() - begin).toBeLessThan(2_500);
      expect(frames.at(-1)?.data).toMatchObject(end);
    } finally {
      process.kill(asked.pid, 'SIGCONT');
    }
    expect(textOf((await client.run(session, 'next')).body.at(-1))).toBe('done: next');
    expect(ends(await logOf(session))).toHaveLength(1);
  }, 60_000);

  it('ends a run whose runner is killed just then', async () => {
    const session = await aSession();
    const shown = client.runSse(session, 'think');
    const id = await until(session, 'running');
    const asked = await waitUntil('the model to be asked', () =>
      skein.modelRequests().find((request) => request.sessionId === session),
    );

    process.kill(asked.pid, 'SIGKILL');
    await cancel(session, id);

    expect((await shown).at(-1)?.data).toMatchObject(end);
    expect(ends(await logOf(session))).toHaveLength(1);
  }, 60_000);

  it('is remembered by the database: a service that is killed right after it changes nothing', async () => {
    const session = await aSession();
    const shown = client.runSse(session, 'think');
    const id = await until(session, 'running');

    await cancel(session, id);
    for (const pid of skein.pidsOf('session-svc')) process.kill(pid, 'SIGKILL');

    expect((await shown).at(-1)?.data).toMatchObject(end);
    // The end may have been stored and shown before the signal: then nobody has waited for the next one yet.
    await waitUntil('the next session-svc', async () => {
      const { status } = await client.request('GET', pathOf(session));
      return status === 200 || undefined;
    });
    expect(ends(await logOf(session))).toHaveLength(1);
  }, 60_000);

  it('is refused for what is not there', async () => {
    const session = await aSession();

    const answer = await cancel(session, 'e-unknown');

    expect([answer.status, answer.body]).toMatchObject([404, { code: 'invocation.not-found' }]);
  });
});

describe('a message to a busy session', () => {
  it('that interrupts ends what is there, and begins after its end', async () => {
    const session = await aSession();
    const running = client.runSse(session, 'think');
    await until(session, 'running');
    const queued = client.runSse(session, 'queued');
    await until(session, 'queued');

    const { body } = await client.run(session, 'now this', { onBusy: 'interrupt' });

    expect(body.map(textOf)).toEqual(['done: now this']);
    expect((await queued).at(-1)?.data).toMatchObject(end);
    const last = (await running).at(-1)?.data;
    const log = await logOf(session);
    const said = log.findIndex((event) => textOf(event) === 'now this');
    expect(log.findIndex(({ id }) => id === last?.id)).toBeLessThan(said);
  }, 60_000);

  it('that must not wait is refused with 409, and nothing of it is stored', async () => {
    const session = await aSession();
    const running = client.runSse(session, 'think');
    const id = await until(session, 'running');

    const refused = await client.run(session, 'now or never', { onBusy: 'reject' });

    expect([refused.status, refused.body]).toMatchObject([409, { code: 'session.busy' }]);
    await cancelled(session, id, running);
    expect(await invocationsOf(session)).toHaveLength(1);
  }, 60_000);
});

describe('a client that leaves', () => {
  it.each([
    ['cancel', 'cancelled'],
    ['continue', 'running'],
  ] as const)(
    'with onDisconnect %s leaves a run that is %s',
    async (onDisconnect, status) => {
      const session = await aSession();
      const leaving = new AbortController();
      await open(session, 'think', { onDisconnect, signal: leaving.signal });
      const id = await until(session, 'running');

      leaving.abort();

      expect(await until(session, status)).toBe(id);
      await cancel(session, id);
      await until(session, 'cancelled');
    },
    60_000,
  );
});

/** A stream, as soon as its input is stored. */
function open(
  session: string,
  text: string,
  more: RequestInit & { onDisconnect?: string } = {},
): Promise<Response> {
  const { onDisconnect, ...init } = more;
  const newMessage = { role: 'user', parts: [{ text }] };
  return fetch(`${skein.url}/run_sse`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'busy', userId: 'ada', sessionId: session, newMessage, onDisconnect }),
    ...init,
  });
}
