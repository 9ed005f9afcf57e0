import { writeFileSync } from 'node:fs';
import { type Event, type Session } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/** A tool that runs until the test creates a file, so that a turn is in the middle for as long as the test likes. */
const AGENT = `
import { existsSync } from 'node:fs';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const wait = new FunctionTool({
  name: 'wait_for_file',
  description: 'Waits for a file.',
  parameters: z.object({ file: z.string() }),
  execute: async ({ file }) => {
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
    return { done: true };
  },
});
const remember = new FunctionTool({
  name: 'remember',
  description: 'Keeps a value.',
  parameters: z.object({ name: z.string() }),
  execute: ({ name }, { state }) => {
    state.set('app:' + name, 1);
    state.set('user:' + name, 1);
    return {};
  },
});
const call = (name, args) => ({ content: { role: 'model', parts: [{ functionCall: { name, args } }] } });

export const rootAgent = new LlmAgent({
  name: 'patient',
  tools: [wait, remember],
  instruction: 'Mood: {mood?}.',
  model: new ScriptedLlm({
    rules: [
      { when: /^wait (\\S+)/, respond: (match) => call('wait_for_file', { file: match[1] }) },
      { when: /^keep (\\S+)/, respond: (match) => call('remember', { name: match[1] }) },
      { when: /.*/, respond: (_match, request) => JSON.stringify(request.config?.systemInstruction ?? '') },
    ],
  }),
});
`;

describe('state that changes while an agent runs', () => {
  let skein: Skein;
  let ada: Client;

  beforeAll(async () => {
    // Scaled down from 15 s and 2 s: they are the time until another runner goes on.
    const env = { LEASE_MS: '2000', SWEEP_MS: '300' };
    skein = await Skein.start({ agents: { patient: AGENT }, env });
    ada = new Client(skein.url, 'patient', 'ada');
  }, 120_000);
  afterAll(async () => {
    await skein?.stop();
  }, 60_000);

  const patch = (sessionId: string, stateDelta: object) =>
    ada.request<Session>('PATCH', ada.sessionPath(sessionId), { stateDelta });

  async function isCalled(sessionId: string): Promise<boolean> {
    const { events } = await ada.getSession(sessionId);
    return events.some(({ content }) => content?.parts?.some(({ functionCall }) => functionCall));
  }

  it("is seen by the next model call's instruction, and the log stays whole for the next turn", async () => {
    const file = `${skein.dataDir}/go-on`;
    await ada.createSession('s1', { mood: 'dull' });
    const answered = ada.run('s1', `wait ${file}`);
    await waitUntil('the call', () => isCalled('s1'));

    const patched = await patch('s1', { mood: 'bright', 'user:known': true });
    writeFileSync(file, '');
    const { body } = await answered;

    expect(patched.body.state).toMatchObject({ mood: 'bright', 'user:known': true });
    expect(textOf(body.at(-1))).toContain('Mood: bright.');
    const again = await ada.run('s1', 'hello');
    expect(textOf(again.body.at(-1))).toContain('Mood: bright.');
    const { events } = await ada.getSession('s1');
    expect(events.map(authorOf)).toEqual(['user', 'call', 'user', 'answer', 'patient', 'user', 'patient']);
    expect(events[2]).toMatchObject({
      invocationId: expect.stringMatching(/^p-/) as unknown,
      actions: { stateDelta: { mood: 'bright', 'user:known': true } },
    });
  });

  it('loses nothing of 20 changes at once', async () => {
    await ada.createSession('s2');
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);

    const answers = await Promise.all(keys.map((key) => patch('s2', { [key]: true })));

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const { state } = await ada.getSession('s2');
    expect(
      Object.keys(state)
        .filter((key) => key.startsWith('k'))
        .sort(),
    ).toEqual([...keys].sort());
  });

  it('loses nothing that 10 sessions write to app: and user: at once, by runs and by changes', async () => {
    const numbers = Array.from({ length: 10 }, (_, n) => n);
    await Promise.all(numbers.map((n) => ada.createSession(`many-${n}`)));

    await Promise.all(
      numbers.flatMap((n) => [
        ada.run(`many-${n}`, `keep run${n}`),
        patch(`many-${n}`, { [`app:patch${n}`]: 1, [`user:patch${n}`]: 1 }),
      ]),
    );

    const { state } = await ada.getSession('many-0');
    const names = numbers.flatMap((n) => [`run${n}`, `patch${n}`]);
    expect(Object.keys(state)).toEqual(
      expect.arrayContaining(names.flatMap((name) => [`app:${name}`, `user:${name}`])),
    );
  });

  it('is taken back by a rewind, refused while a run is under way (B55)', async () => {
    const file = `${skein.dataDir}/rewind`;
    await ada.createSession('s3', { mood: 'dull' });
    const first = await ada.run('s3', 'hello', { stateDelta: { mood: 'bright' } });
    const rewind = (rewindBeforeInvocationId?: string) =>
      ada.request<Session>('POST', `${ada.sessionPath('s3')}/rewind`, { rewindBeforeInvocationId });
    const running = ada.run('s3', `wait ${file}`);
    await waitUntil('the call', () => isCalled('s3'));

    const refused = await rewind(first.body[0]?.invocationId);
    writeFileSync(file, '');
    await running;
    const rewound = await rewind(first.body[0]?.invocationId);
    const next = await ada.run('s3', 'hello again');

    expect([refused.status, rewound.status]).toEqual([409, 200]);
    expect(rewound.body.state).toMatchObject({ mood: 'dull' });
    expect(textOf(next.body.at(-1))).toContain('Mood: dull.');
    expect((await rewind('e-unknown')).status).toBe(404);
  });

  it('is not lost with the runner that saw it, nor taken in twice', async () => {
    const file = `${skein.dataDir}/crash`;
    await ada.createSession('s4', { mood: 'dull' });
    const answered = ada.run('s4', `wait ${file}`);
    await waitUntil('the call', () => isCalled('s4'));
    await patch('s4', { mood: 'bright' });
    const owner = await waitUntil(
      'the model to be asked',
      () => skein.modelRequests().find(({ sessionId }) => sessionId === 's4')?.pid,
    );

    process.kill(owner, 'SIGKILL');
    writeFileSync(file, '');
    const { body } = await answered;

    expect(textOf(body.at(-1))).toContain('Mood: bright.');
    const { events } = await ada.getSession('s4');
    expect(events.map(authorOf)).toEqual(['user', 'call', 'user', 'answer', 'patient']);
    const again = await ada.run('s4', 'hello');
    expect(textOf(again.body.at(-1))).toContain('Mood: bright.');
  }, 60_000);
});

function authorOf({ author, content }: Event): string {
  const [part] = content?.parts ?? [];
  if (part?.functionCall) return 'call';
  return part?.functionResponse ? 'answer' : author;
}
