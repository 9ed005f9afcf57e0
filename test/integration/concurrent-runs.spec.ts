import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Event, type InvocationPage } from '@skein/contracts';
import { Pool } from 'pg';
import { type Answer, Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const folder = mkdtempSync(path.join(tmpdir(), 'skein-concurrent-'));
/** Once it is there, the model answers who said "hold". */
const held = path.join(folder, 'go-on');

const AGENT = `
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { LlmAgent, ScriptedLlm } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'echo',
  model: new ScriptedLlm({
    rules: [
      {
        when: /^hold/,
        respond: async () => {
          while (!existsSync(${JSON.stringify(held)})) await pause(20);
          return 'done: hold';
        },
      },
      { when: /^.*/, respond: ([said]) => 'done: ' + said },
    ],
  }),
});
`;

let skein: Skein;
let client: Client;

beforeAll(async () => {
  skein = await Skein.start({ agents: { echo: AGENT } });
  client = new Client(skein.url, 'echo');
}, 120_000);
afterAll(async () => {
  await skein?.stop();
  rmSync(folder, { recursive: true });
}, 60_000);

/** The invocations of a session, in the order they were stored. */
async function invocationsOf(session: string): Promise<InvocationPage['invocations']> {
  const path = `${client.sessionPath(session)}/invocations?limit=100`;
  return (await client.request<InvocationPage>('GET', path)).body.invocations.reverse();
}

async function statusesOf(session: string): Promise<string[]> {
  return (await invocationsOf(session)).map(({ status }) => status);
}

/** A session's log, and the number of each event, as they are stored. */
async function logOf(session: string): Promise<{ seqs: number[]; invocations: (string | undefined)[] }> {
  const path = `${client.sessionPath(session)}/events?after=0&limit=100`;
  const { body } = await client.request<{ events: { seq: number; event: Event }[] }>('GET', path);
  return {
    seqs: body.events.map(({ seq }) => seq),
    invocations: body.events.map(({ event }) => event.invocationId),
  };
}

/** Its invocations by the numbers they were given in its queue. */
async function queuedOf(session: string): Promise<string[]> {
  const pool = new Pool({ connectionString: skein.databaseUrl });
  try {
    const { rows } = await pool.query<{ id: string }>(
      'SELECT id FROM adk_invocations WHERE session_id = $1 ORDER BY queue_no',
      [session],
    );
    return rows.map(({ id }) => id);
  } finally {
    await pool.end();
  }
}

const from1to40 = Array.from({ length: 40 }, (_, index) => index + 1);

it('20 concurrent /run on one session: contiguous, in order of submission, seq dense', async () => {
  await client.createSession('in-order');
  const texts = ['hold', ...Array.from({ length: 19 }, (_, index) => `message ${index + 1}`)];

  // Each is sent once the one before it is stored, and none is answered before all of them are.
  const answers: Promise<Answer<Event[]>>[] = [];
  for (const text of texts) {
    answers.push(client.run('in-order', text));
    await waitUntil(
      `${answers.length} invocations`,
      async () => (await invocationsOf('in-order')).length === answers.length || undefined,
    );
  }
  await waitUntil(
    'the first to run',
    async () => (await statusesOf('in-order'))[0] === 'running' || undefined,
  );
  expect(await statusesOf('in-order')).toEqual(['running', ...texts.slice(1).map(() => 'queued')]);
  const submitted = (await invocationsOf('in-order')).map(({ invocationId }) => invocationId);
  writeFileSync(held, '');
  const answered = await Promise.all(answers);

  expect(answered.map(({ body }) => body.map(textOf))).toEqual(texts.map((text) => [`done: ${text}`]));
  expect(answered.map(({ headers }) => headers.get('x-invocation-id'))).toEqual(submitted);
  expect(await logOf('in-order')).toEqual({
    seqs: from1to40,
    invocations: submitted.flatMap((id) => [id, id]),
  });
}, 60_000);

it('20 concurrent /run sent at once: contiguous, in the order they were queued, seq dense', async () => {
  await client.createSession('at-once');
  const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`);

  const answered = await Promise.all(texts.map((text) => client.run('at-once', text)));

  expect(answered.map(({ body }) => body.map(textOf))).toEqual(texts.map((text) => [`done: ${text}`]));
  // Nobody knows in which order they arrived but the lock of their session, under which they got their numbers.
  const queued = await queuedOf('at-once');
  expect(await logOf('at-once')).toEqual({ seqs: from1to40, invocations: queued.flatMap((id) => [id, id]) });
}, 60_000);
