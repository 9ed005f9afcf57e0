import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type StackProcess } from '@skein/stack';
import { Client } from '../support/client';
import { PromiseHooks } from '../support/promise-hooks';
import { Skein } from '../support/skein';

const appWith = (execute: string): string => `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const add = new FunctionTool({
  name: 'add',
  description: 'Adds.',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => { ${execute} return a + b; },
});

export const rootAgent = new LlmAgent({
  name: 'adder',
  tools: [add],
  model: new ScriptedLlm({
    responses: [
      { content: { role: 'model', parts: [{ functionCall: { name: 'add', args: { a: 1, b: 2 } } }] } },
      { content: { role: 'model', parts: [{ text: 'three' }] } },
    ],
  }),
});
`;

/** From Node 24 on nothing hangs on promises, whatever is followed. */
const FOLLOWING_TAKES_HOOKS = Number.parseInt(process.versions.node, 10) < 24;

describe('hooks on promises, which cost each of them', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-hooks-'));
  const hooks = new PromiseHooks(folder);
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({
      agents: { quiet: appWith(''), talker: appWith("await pause(1); console.log('adding');") },
      // As it is shipped: nothing is traced.
      env: {
        ...hooks.env,
        RUNNERS: '1',
        TOOL_WORKERS: '1',
        LOG_FORMAT: 'json',
        OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
      },
    });
  }, 120_000);
  afterAll(async () => {
    await skein.stop();
    rmSync(folder, { recursive: true });
  });

  async function turn(app: string, sessionId: string): Promise<void> {
    const client = new Client(skein.url, app);
    await client.createSession(sessionId);
    await client.run(sessionId, 'add');
  }

  function processOf(app: string): StackProcess {
    const found = skein.processes().find((process) => process.app === app);
    if (!found) throw new Error(`there is no ${app}`);
    return found;
  }

  it.each(['gateway', 'session-svc', 'runner', 'tool-worker'])(
    'are not taken by %s in a turn with a tool',
    async (app) => {
      await turn('quiet', `quiet-${app}`);
      await skein.untilLogged(new RegExp(`quiet-${app}.*invocation finished`));

      expect(await hooks.ask(processOf(app))).toMatchObject({ isHooked: false, since: [] });
    },
  );

  it('are taken once an author writes to the console, whose lines tell from then on whose work they are of', async () => {
    await turn('talker', 's-1');
    await skein.untilLogged(/s-1.*invocation finished/);
    await turn('talker', 's-2');
    await skein.untilLogged(/s-2.*invocation finished/);

    const lines = [...skein.log().matchAll(/^tool-worker-1 +\| (.*"msg":"adding".*)$/gm)];
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1]?.[1] ?? '')).toMatchObject({
      ...{ source: 'console', appName: 'talker', sessionId: 's-2' },
      invocationId: expect.stringMatching(/^e-/),
    });
    expect(await hooks.ask(processOf('tool-worker'))).toMatchObject({ isHooked: FOLLOWING_TAKES_HOOKS });
    expect(await hooks.ask(processOf('runner'))).toMatchObject({ isHooked: false });
  });
});
