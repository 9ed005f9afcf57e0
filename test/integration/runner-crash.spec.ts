import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const AGENT = `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

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

export const rootAgent = new LlmAgent({
  name: 'patient',
  tools: [slow],
  model: new ScriptedLlm({
    responses: [
      { content: { role: 'model', parts: [{ functionCall: { name: 'slow_tool', args: {} } }] } },
      { content: { role: 'model', parts: [{ text: 'It took its time.' }] } },
    ],
  }),
});
`;

describe('a runner that is killed while a tool runs', () => {
  let skein: Skein;

  beforeAll(async () => {
    // Scaled down from 15 s and 2 s: they are the time until another runner goes on.
    const env = { LEASE_MS: '2000', SWEEP_MS: '300' };
    skein = await Skein.start({ agents: { patient: AGENT }, env });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  it('has its run ended by another, without asking the model again or running the tool again', async () => {
    const client = new Client(skein.url, 'patient');
    await client.createSession('s');
    const stream = client.runSse('s', 'take your time');
    await skein.untilLogged(/slow_tool begins/);
    const owner = await waitUntil('the model to be asked', () => skein.modelRequests()[0]?.pid);

    process.kill(owner, 'SIGKILL');
    const events = (await stream).map(({ data }) => data).filter(({ partial }) => !partial);

    expect(textOf(events.at(-1))).toBe('It took its time.');
    expect(events).toHaveLength(3);
    const { events: stored, state } = await client.getSession('s');
    expect(stored).toHaveLength(4);
    expect(state).toMatchObject({ runs: 1 });
    expect(skein.modelRequests().map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    expect(skein.modelRequests()[1]?.pid).not.toBe(owner);
    expect(skein.log().match(/slow_tool begins/g)).toHaveLength(1);
  }, 60_000);
});
