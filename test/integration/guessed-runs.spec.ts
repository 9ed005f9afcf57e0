import { Pool } from 'pg';
import { Client, textOf } from '../support/client';
import { parseExposed } from '../support/metrics-page';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/** Says which state it was told of, and keeps what it is asked to. */
const AGENT = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const remember = new FunctionTool({
  name: 'remember',
  description: 'Keeps values.',
  parameters: z.object({ value: z.string() }),
  execute: ({ value }, { state }) => {
    for (const key of ['mood', 'user:mood', 'app:mood']) state.set(key, value);
    return {};
  },
});

export const rootAgent = new LlmAgent({
  name: 'moody',
  tools: [remember],
  instruction: '{mood?} {user:mood?} {app:mood?}',
  model: new ScriptedLlm({
    rules: [
      { when: /^be (\\S+)/, respond: (match) => (
        { content: { role: 'model', parts: [{ functionCall: { name: 'remember', args: { value: match[1] } } }] } }) },
      { when: /^take your time/, respond: () => ({ delayMs: 4_000, response: 'Done.' }) },
      { when: /.*/, respond: (_match, request) => String(request.config?.systemInstruction).split('\\n', 1)[0] },
    ],
  }),
});
`;

let skein: Skein;
let database: Pool;
let ada: Client;

beforeAll(async () => {
  // One of each, so that a session's next turn finds who knows it; a lease that a test can wait for.
  const env = { RUNNERS: '1', TOOL_WORKERS: '1', LEASE_MS: '2000', SWEEP_MS: '300' };
  skein = await Skein.start({ agents: { moody: AGENT }, env });
  database = new Pool({ connectionString: skein.databaseUrl });
  ada = new Client(skein.url, 'moody', 'ada');
}, 60_000);
afterAll(async () => {
  await database?.end();
  await skein?.stop();
}, 60_000);

async function guesses(): Promise<{ right: number; wrong: number }> {
  const { healthUrl } = skein.processes().find(({ app }) => app === 'session-svc') ?? {};
  const metrics = parseExposed(await (await fetch(`${healthUrl}/metrics`)).text());
  const { series = [] } = metrics.find(({ name }) => name === 'skein_claim_guesses_total') ?? {};
  const of = (outcome: string): number =>
    series.find(({ text }) => text.includes(`"${outcome}"`))?.value ?? 0;
  return { right: of('right'), wrong: of('wrong') };
}

async function say(sessionId: string, text: string): Promise<string> {
  const { body } = await ada.run(sessionId, text, { autoCreateSession: true });
  return textOf(body.at(-1));
}

const askedOf = (sessionId: string) =>
  skein.modelRequests().filter((request) => request.sessionId === sessionId).length;

it('from its second turn on a session is guessed, with the state that the turns before left', async () => {
  const before = await guesses();

  await say('right', 'be calm');
  expect(await say('right', 'how are you?')).toBe('calm calm calm');
  await say('right', 'be glad');
  expect(await say('right', 'how are you?')).toBe('glad glad glad');

  const after = await guesses();
  expect(after).toEqual({ ...before, right: before.right + 3 });
  expect(askedOf('right')).toBe(6);
});

it('a guess that is wrong costs a question to the model: the turn is that of the database, and told once', async () => {
  await say('wrong', 'be calm');
  // As another session-svc would have stored it, beside what this one knows.
  await database.query(`UPDATE adk_sessions SET state = state || '{"mood": "cross"}' WHERE id = 'wrong'`);

  expect(await say('wrong', 'how are you?')).toBe('cross calm calm');

  expect((await guesses()).wrong).toBe(1);
  const { events } = await ada.getSession('wrong');
  expect(events.map(({ author }) => author)).toEqual(['user', 'moody', 'moody', 'moody', 'user', 'moody']);
  await waitUntil('the run of nothing has asked in vain', () => askedOf('wrong') === 4);
  // The session is not guessed for a while, and goes on.
  expect(await say('wrong', 'and now?')).toBe('cross calm calm');
  expect(askedOf('wrong')).toBe(5);
});

it('the run of a guess that is wrong is withdrawn: it leaves its place before its model has answered', async () => {
  const send = (key: string, text: string) =>
    ada.run('replayed', text, { autoCreateSession: true }, { 'idempotency-key': key });
  const first = await send('one', 'take your time');
  await send('two', 'be calm');
  const before = await guesses();

  // That of the last message is known to be stored.
  await send('two', 'be calm');
  expect(await guesses()).toEqual(before);
  const again = await send('one', 'take your time');

  expect(again.body).toEqual(first.body);
  expect(await guesses()).toEqual({ ...before, wrong: before.wrong + 1 });
  await skein.untilLogged(/its claim was guessed, and is another/);
}, 60_000);

it('an event that a client stored between two turns is in the next one', async () => {
  await say('written', 'be calm');
  await ada.request('PATCH', ada.sessionPath('written'), { stateDelta: { mood: 'bright' } });
  const before = await guesses();

  expect(await say('written', 'how are you?')).toBe('bright calm calm');
  expect(await guesses()).toEqual(before);
});

it('a session that was deleted and made again is another', async () => {
  await say('again', 'be calm');
  await ada.request('DELETE', ada.sessionPath('again'));

  expect(await say('again', 'how are you?')).toBe(' calm calm');
  const { events } = await ada.getSession('again');
  expect(events).toHaveLength(2);
});

it('a runner that dies over a guess loses no turn', async () => {
  await say('killed', 'be calm');
  const [pid] = skein.pidsOf('runner');
  const answered = say('killed', 'how are you?');
  process.kill(pid ?? 0, 'SIGKILL');

  expect(await answered).toBe('calm calm calm');
  const { events } = await ada.getSession('killed');
  expect(events.filter(({ author }) => author === 'user')).toHaveLength(2);
}, 60_000);
