import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const AGENT = `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const slow = new FunctionTool({
  name: 'slow_tool',
  description: 'Takes three seconds.',
  execute: async () => {
    console.log('slow_tool runs in ' + process.pid);
    await pause(3_000);
    return { pid: process.pid };
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

describe('a tool worker that is killed in the middle of a call', () => {
  let skein: Skein;

  beforeAll(async () => {
    // The acknowledgement wait is scaled down from 30 s: it is the time until the queue gives the call to another.
    skein = await Skein.start({ agents: { patient: AGENT }, env: { ACK_WAIT_MS: '2000' } });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  it('has its call finished by another worker, and the client reads the answer on the stream it had', async () => {
    const client = new Client(skein.url, 'patient');
    await client.createSession('s');
    const stream = client.runSse('s', 'take your time');
    const killed = Number((await skein.untilLogged(/slow_tool runs in (\d+)/)).split(' ').at(-1));
    expect(skein.pidsOf('tool-worker')).toContain(killed);

    process.kill(killed, 'SIGKILL');
    const events = (await stream).map(({ data }) => data).filter(({ partial }) => !partial);

    expect(textOf(events.at(-1))).toBe('It took its time.');
    const [execution] = events[1]?.customMetadata?.['skein.tools'] as { pid: number; attempt: number }[];
    expect(execution?.pid).not.toBe(killed);
    expect(execution?.attempt).toBe(2);
    const responses = events
      .flatMap((event) => event.content?.parts ?? [])
      .filter((part) => part.functionResponse);
    expect(responses).toHaveLength(1);

    await waitUntil('the killed worker to be replaced', () => {
      const pids = skein.pidsOf('tool-worker');
      return pids.length === 2 && !pids.includes(killed);
    });
  }, 60_000);
});
