import { randomUUID } from 'node:crypto';
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
  beforeModelCallback: async ({ request, context }) => {
    const said = request.contents.at(-1)?.parts?.[0]?.text ?? '';
    if (said.startsWith('keep ')) await context.saveArtifact('kept.txt', { text: said });
  },
  instruction: '{mood?} {user:mood?} {app:mood?}',
  model: new ScriptedLlm({
    rules: [
      { when: /^be (\\S+)/, respond: (match) => (
        { content: { role: 'model', parts: [{ functionCall: { name: 'remember', args: { value: match[1] } } }] } }) },
      { when: /^take your time/, respond: () => (
        { delayMs: 4_000, response: { content: { role: 'model', parts: [{ text: 'Done.' }] } } }) },
      { when: /.*/, respond: (_match, request) => String(request.config?.systemInstruction).split('\\n', 1)[0] },
    ],
  }),
});
`;

let skein: Skein;
let database: Pool;
let ada: Client;

beforeAll(async () => {
  // One of each, so that a session's next turn finds who knows it; a lease that a test can wait for. A shorter one has the runner
  // take less of a pause for an absence.
  const env = { RUNNERS: '1', TOOL_WORKERS: '1', LEASE_MS: '9000', SWEEP_MS: '300' };
  skein = await Skein.start({ agents: { moody: AGENT }, env });
  database = new Pool({ connectionString: skein.databaseUrl });
  ada = new Client(skein.url, 'moody', 'ada');
}, 60_000);
afterAll(async () => {
  await database?.end();
  await skein?.stop();
}, 60_000);

type Outcome = 'right' | 'wrong' | 'unbegun';

async function guesses(): Promise<Record<Outcome, number>> {
  const series = await seriesOf('session-svc', 'skein_claim_guesses_total');
  const of = (outcome: Outcome): number =>
    series.find(({ text }) => text.includes(`"${outcome}"`))?.value ?? 0;
  return { right: of('right'), wrong: of('wrong'), unbegun: of('unbegun') };
}

/** Once the turn that was answered is over for its runner too: from there on the session can be guessed. */
async function untilIdle(): Promise<void> {
  await waitUntil('the runner to be done', async () => {
    const [active] = await seriesOf('runner', 'skein_runs_active');
    return active?.value === 0;
  });
}

async function seriesOf(process: string, metric: string) {
  const { healthUrl } = skein.processes().find(({ app }) => app === process) ?? {};
  const metrics = parseExposed(await (await fetch(`${healthUrl}/metrics`)).text());
  return metrics.find(({ name }) => name === metric)?.series ?? [];
}

/**
 * Plays a scene of one guess in a new session, and again where the runner did not begin on it: one that was away for a moment, as
 * on a busy machine, begins on none.
 */
async function untilBegun(
  outcome: Exclude<Outcome, 'unbegun'>,
  scene: (sessionId: string) => Promise<void>,
): Promise<string> {
  for (let played = 0; played < 10; played++) {
    const sessionId = `${outcome}-${randomUUID()}`;
    const before = await guesses();
    await scene(sessionId);
    const after = await waitUntil('the guess to be counted', async () => {
      const now = await guesses();
      return total(now) > total(before) ? now : undefined;
    });
    expect(total(after)).toBe(total(before) + 1);
    if (after.unbegun > before.unbegun) continue;
    expect(after[outcome]).toBe(before[outcome] + 1);
    return sessionId;
  }
  throw new Error('The runner began on no guess.');
}

const total = ({ right, wrong, unbegun }: Record<Outcome, number>): number => right + wrong + unbegun;

async function say(sessionId: string, text: string): Promise<string> {
  const { body } = await ada.run(sessionId, text, { autoCreateSession: true });
  return textOf(body.at(-1));
}

const askedOf = (sessionId: string) =>
  skein.modelRequests().filter((request) => request.sessionId === sessionId).length;

it('from its second turn on a session is guessed, with the state that the turns before left', async () => {
  const sessionId = await untilBegun('right', async (id) => {
    await say(id, 'be calm');
    await untilIdle();
    expect(await say(id, 'how are you?')).toBe('calm calm calm');
  });

  await say(sessionId, 'be glad');
  expect(await say(sessionId, 'how are you?')).toBe('glad glad glad');
  expect(askedOf(sessionId)).toBe(6);
  expect((await guesses()).wrong).toBe(0);
});

it('a guess that is wrong costs a question to the model: the turn is that of the database, and told once', async () => {
  const sessionId = await untilBegun('wrong', async (id) => {
    await say(id, 'be calm');
    await changeUnseen(id);
    expect(await say(id, 'how are you?')).toBe('cross calm calm');
  });

  const { events } = await ada.getSession(sessionId);
  expect(events.map(({ author }) => author)).toEqual(['user', 'moody', 'moody', 'moody', 'user', 'moody']);
  await waitUntil('the run of nothing has asked in vain', () => askedOf(sessionId) === 4);
  // The session is not guessed for a while, and goes on.
  expect(await say(sessionId, 'and now?')).toBe('cross calm calm');
  expect(askedOf(sessionId)).toBe(5);
});

it('the run of a guess that is wrong is withdrawn: it leaves its place before its model has answered', async () => {
  let answer: Promise<string> | undefined;
  const sessionId = await untilBegun('wrong', async (id) => {
    await say(id, 'be calm');
    await changeUnseen(id);
    answer = say(id, 'take your time');
  });
  let isAnswered = false;
  void answer?.then(() => (isAnswered = true));

  await untilWithdrawn(sessionId);
  expect(isAnswered).toBe(false);
  expect(await answer).toBe('Done.');
}, 120_000);

it('a guess that is right writes an artifact, and one that is wrong writes none', async () => {
  const right = await untilBegun('right', async (id) => {
    await say(id, 'be calm');
    await untilIdle();
    expect(await say(id, 'keep this')).toBe('calm calm calm');
  });
  expect(await versionsOfKept(right)).toEqual([0]);

  const wrong = await untilBegun('wrong', async (id) => {
    await say(id, 'be calm');
    await changeUnseen(id);
    expect(await say(id, 'keep that')).toBe('cross calm calm');
  });
  await untilWithdrawn(wrong);
  // That of the turn, which asked as well.
  expect(await versionsOfKept(wrong)).toEqual([0]);
});

it('a message that is sent again is not guessed, also under a key that is not the last one', async () => {
  const send = (text: string, key: string) =>
    ada.run('again-and-again', text, { autoCreateSession: true }, { 'idempotency-key': key });
  const first = await send('be calm', 'one');
  await send('be glad', 'two');
  await untilIdle();
  const before = await guesses();

  expect((await send('be calm', 'one')).body).toEqual(first.body);
  expect((await send('be cross', 'one')).status).toBe(422);
  expect(await guesses()).toEqual(before);
});

/** The state of a session, as another session-svc would have stored it, beside what this one knows. */
async function changeUnseen(sessionId: string): Promise<void> {
  await untilIdle();
  const state = `state || '{"mood": "cross"}'`;
  await database.query(`UPDATE adk_sessions SET state = ${state} WHERE id = $1`, [sessionId]);
}

async function untilWithdrawn(sessionId: string): Promise<void> {
  await skein.untilLogged(new RegExp(`"sessionId":"${sessionId}".*its claim was guessed, and is another`));
}

async function versionsOfKept(sessionId: string): Promise<unknown> {
  return (await ada.request('GET', `${ada.sessionPath(sessionId)}/artifacts/kept.txt/versions`)).body;
}

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
