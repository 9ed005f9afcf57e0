import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { builtEntries } from '@skein/stack';
import { type WorkerKind } from './worker-bed';

const AGENT = `
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const tool = (name, execute, options) => new FunctionTool({ name, description: name, execute, ...options });

export const rootAgent = new LlmAgent({
  name: 'agent',
  model: new ScriptedLlm({ responses: [] }),
  tools: [
    tool('echo', (args) => args),
    tool('fail', () => { throw new Error('the tool broke'); }),
    tool('flaky', () => { throw new Error('another time'); }, { retry: { maxAttempts: 3 } }),
    tool('bursting', async ({ times }, context) => {
      for (let step = 0; step < times; step++) context.progress({ step });
      await pause(500);
      return { reported: times };
    }),
    tool('pause', async ({ ms }) => { console.log('pause begins'); await pause(ms); return { paused: ms }; }),
    tool('endless', () => { console.log('endless begins'); return new Promise(() => undefined); }),
    tool('deaf', async ({ ms }) => { await pause(ms); }, { isolation: 'inline' }),
    tool('beating', async ({ beats }, context) => {
      for (let n = 0; n < beats; n++) { context.heartbeat(); await pause(100); }
      return { beats };
    }),
    tool('reporting', async ({ times }, context) => {
      for (let step = 0; step < times; step++) { context.progress({ step }); await pause(100); }
      return { reported: times };
    }),
    tool('large', ({ bytes }) => 'x'.repeat(bytes)),
    tool('measure', ({ text }) => ({ length: text.length })),
    tool('stateful', (_args, context) => {
      context.state.set('seen', context.state.get('mood'));
      return { key: context.idempotencyKey, attempt: 1 };
    }),
  ],
});
`;

function agentsDirOf(dataDir: string): string {
  return path.join(dataDir, 'agents');
}

/** Our own worker, as `npm run build` makes it. */
const ours: WorkerKind = {
  kind: 'in TypeScript',
  command: (dataDir) => {
    mkdirSync(path.join(agentsDirOf(dataDir), 'contract'), { recursive: true });
    writeFileSync(path.join(agentsDirOf(dataDir), 'contract', 'agent.ts'), AGENT);
    return [process.execPath, builtEntries()['tool-worker']];
  },
  env: (dataDir) => ({ AGENTS_DIR: agentsDirOf(dataDir), LOG_FORMAT: 'json' }),
};

/** The example's, with the standard library of Python alone. */
const python: WorkerKind = {
  kind: 'in Python',
  command: () => ['python3', path.join(__dirname, 'python-tools.py')],
  env: () => ({ PYTHONDONTWRITEBYTECODE: '1' }),
};

export const workerKinds: readonly WorkerKind[] = [ours, python];
