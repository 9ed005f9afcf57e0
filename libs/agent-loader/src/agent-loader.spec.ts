import { mkdtempSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LlmAgent } from '@skein/adk';
import { runAgent } from '@skein/adk/testing';
import { AgentLoader } from './agent-loader';
import { listApps, skippedFolders } from './list-apps';

const AGENT = `
import { LlmAgent, ScriptedLlm } from '@skein/adk';
const model = new ScriptedLlm({ responses: [] });
`;

let agentsDir: string;

beforeEach(() => {
  agentsDir = mkdtempSync(join(tmpdir(), 'skein-agents-'));
});
afterEach(() => {
  rmSync(agentsDir, { recursive: true });
});

describe('listApps', () => {
  it('lists folders with an agent file, sorted, without those that begin with _ or .', () => {
    for (const file of [
      'b/agent.ts',
      'a/agent.js',
      'c/agent.mjs',
      '_off/agent.ts',
      '.git/agent.ts',
      'no/x.ts',
    ]) {
      write(file, '');
    }

    expect(listApps(agentsDir)).toEqual(['a', 'b', 'c']);
  });

  it('leaves out names that no app can have, and tells why', () => {
    for (const name of ['user', '1st', 'a b']) write(`${name}/agent.ts`, '');

    expect(listApps(agentsDir)).toEqual([]);
    expect(skippedFolders(agentsDir)).toEqual([
      { name: '1st', reason: expect.stringContaining('must begin with a letter') },
      { name: 'a b', reason: expect.stringContaining('must begin with a letter') },
      { name: 'user', reason: expect.stringContaining('reserved') },
    ]);
  });

  it('finds nothing in a folder that is not there', () => {
    expect(listApps(join(agentsDir, 'nowhere'))).toEqual([]);
  });
});

describe('AgentLoader', () => {
  it('gives agent files the very classes the services use', async () => {
    write('one/agent.ts', `${AGENT} export const rootAgent = new LlmAgent({ name: 'root', model });`);

    const { name, rootAgent } = await load('one');

    expect(name).toBe('one');
    expect(rootAgent).toBeInstanceOf(LlmAgent);
  });

  it('gives them the helpers of tests, made of the same classes', async () => {
    write(
      'helped/agent.ts',
      `${AGENT} import { scripted, says } from '@skein/adk/testing';
       export const rootAgent = new LlmAgent({ name: 'root', model: scripted([says('Hello.')]) });`,
    );

    const { rootAgent } = await load('helped');

    expect((await runAgent(rootAgent, 'hi')).finalText).toBe('Hello.');
  });

  it('loads TypeScript syntax, relative files and top-level await without a build step', async () => {
    write('ts/instruction.ts', `export enum Tone { Kind = 'Be kind.' } export type Unused = string;`);
    write(
      'ts/agent.ts',
      `${AGENT} import { Tone, type Unused } from './instruction.js';
       const instruction: Unused = await Promise.resolve(Tone.Kind);
       export const rootAgent = new LlmAgent({ name: 'root', model, instruction });`,
    );

    expect(await load('ts')).toMatchObject({ rootAgent: { instruction: 'Be kind.' } });
  });

  it("uses the folder's own packages, and lends zod to a folder that has none", async () => {
    write('own/node_modules/greeting/package.json', '{"name":"greeting","main":"index.js"}');
    write('own/node_modules/greeting/index.js', `module.exports = 'Hello.';`);
    write(
      'own/agent.ts',
      `${AGENT} import greeting from 'greeting'; import { z } from 'zod';
       export const rootAgent = new LlmAgent({ name: 'root', model, instruction: greeting, description: typeof z.object });`,
    );

    expect(await load('own')).toMatchObject({
      rootAgent: { instruction: 'Hello.', description: 'function' },
    });
  });

  it('loads ES modules among the packages of a folder', async () => {
    write(
      'esm/node_modules/greeting/package.json',
      '{"name":"greeting","type":"module","exports":"./index.js"}',
    );
    write('esm/node_modules/greeting/index.js', `export const text = await Promise.resolve('Hello.');`);
    write(
      'esm/agent.ts',
      `${AGENT} import { text } from 'greeting';
       export const rootAgent = new LlmAgent({ name: 'root', model, instruction: text });`,
    );

    expect(await load('esm')).toMatchObject({ rootAgent: { instruction: 'Hello.' } });
  });

  it.each([
    [
      'CommonJS',
      'agent.js',
      `const { LlmAgent, ScriptedLlm } = require('@skein/adk');
      exports.rootAgent = new LlmAgent({ name: 'root', model: new ScriptedLlm({ responses: [] }) });`,
    ],
    ['an ES module', 'agent.mjs', `${AGENT} export const rootAgent = new LlmAgent({ name: 'root', model });`],
    [
      'an App',
      'agent.ts',
      `${AGENT} import { App } from '@skein/adk';
      export const app = new App({ name: 'x', rootAgent: new LlmAgent({ name: 'root', model }) });`,
    ],
    [
      'a default export',
      'agent.ts',
      `${AGENT} export default { rootAgent: new LlmAgent({ name: 'root', model }) };`,
    ],
  ])('takes %s', async (_what, file, source) => {
    write(`x/${file}`, source);

    expect((await load('x')).rootAgent.name).toBe('root');
  });

  it.each([
    ['a syntax error', `${AGENT}export const rootAgent = {\n  a: 1,,\n};`, 'agent.ts:5: Unexpected token'],
    [
      'a throw at import',
      `${AGENT}function fail(): never {\n  throw new Error('No config.\\nmore');\n}\nfail();`,
      'agent.ts:5: No config.',
    ],
    [
      'an agent our own classes refuse',
      `${AGENT}new LlmAgent({ name: 'not a name', model });`,
      'agent.ts:4: "not a name" is not a name for an agent: it must be an identifier, not "user".',
    ],
    [
      'a missing package',
      `${AGENT}import x from 'not-there';\nexport const rootAgent = x;`,
      `agent.ts:4: Cannot find module 'not-there'`,
    ],
    [
      'a missing file',
      `${AGENT}\n\nimport x from './gone';\nexport const rootAgent = x;`,
      `agent.ts:6: Cannot find module './gone'`,
    ],
    ['a missing export', AGENT, 'agent.ts: it must export `rootAgent`, an agent, or `app`, an App.'],
    ['an export of a wrong type', `export const rootAgent = 'me';`, 'agent.ts: `rootAgent` is not an agent.'],
    [
      'an app without an agent',
      `export const app = { name: 'x' };`,
      'agent.ts: `app.rootAgent` is not an agent.',
    ],
  ])('names file, line and reason of %s', async (_what, source, message) => {
    write('broken/agent.ts', source);

    await expect(load('broken')).rejects.toMatchObject({
      code: 'agent.load-failed',
      message: expect.stringContaining(join(agentsDir, 'broken', message)),
    });
  });

  it('names the imported file when that is the broken one', async () => {
    write('broken/inner.ts', '\nexport const a = (null as any).b;\n');
    write('broken/agent.ts', `import { a } from './inner';\nexport const rootAgent = a;`);

    await expect(load('broken')).rejects.toMatchObject({
      message: expect.stringContaining(join('broken', 'inner.ts:2: Cannot read properties of null')),
    });
  });

  it('loads a broken app again when a file of it changed, and not before', async () => {
    write('broken/inner.ts', 'export const name = "not a name";');
    write(
      'broken/agent.ts',
      `${AGENT} import { name } from './inner'; export const rootAgent = new LlmAgent({ name, model });`,
    );
    const loader = new AgentLoader({ agentsDir });
    await expect(loader.load('broken')).rejects.toThrow('not a name');
    const again = loader.load('broken');
    await expect(again).rejects.toThrow('not a name');

    write('broken/inner.ts', 'export const name = "better";');
    const later = new Date(Date.now() + 5000);
    utimesSync(join(agentsDir, 'broken', 'inner.ts'), later, later);

    expect((await loader.load('broken')).rootAgent.name).toBe('better');
  });

  it('loads an app once', async () => {
    write('one/agent.ts', `${AGENT} export const rootAgent = new LlmAgent({ name: 'root', model });`);
    const loader = new AgentLoader({ agentsDir });

    const [first, second] = await Promise.all([loader.load('one'), loader.load('one')]);

    expect(second.rootAgent).toBe(first.rootAgent);
  });

  it('has an app at hand once it is loaded, and no longer than a second after its file is gone', async () => {
    write('one/agent.ts', `${AGENT} export const rootAgent = new LlmAgent({ name: 'root', model });`);
    let nowMs = 0;
    const loader = new AgentLoader({ agentsDir, now: () => nowMs });

    expect(loader.loaded('one')).toBeUndefined();
    const app = await loader.load('one');
    rmSync(join(agentsDir, 'one'), { recursive: true });
    nowMs = 999;
    expect(loader.loaded('one')).toBe(app);
    nowMs = 1_000;
    expect(loader.loaded('one')).toBeUndefined();
    await expect(loader.load('one')).rejects.toMatchObject({ code: 'app.unknown' });
  });

  it.each(['nowhere', '../one', 'a/../one', '.', '..', '', '/etc', 'one\0'])(
    'knows no app named %j',
    async (appName) => {
      write('one/agent.ts', '');

      await expect(load(appName)).rejects.toMatchObject({ kind: 'not_found', code: 'app.unknown' });
    },
  );
});

async function load(appName: string): ReturnType<AgentLoader['load']> {
  return new AgentLoader({ agentsDir }).load(appName);
}

function write(file: string, text: string): void {
  const path = join(agentsDir, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
