import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FunctionTool, LlmAgent } from '@skein/adk';
import { AgentLoader } from './agent-loader';

let agentsDir: string;

beforeEach(() => {
  agentsDir = mkdtempSync(join(tmpdir(), 'skein-agents-'));
});
afterEach(() => {
  rmSync(agentsDir, { recursive: true });
});

describe('an agent file that imports @google/adk', () => {
  const AGENT = `
import { FunctionTool, LlmAgent, type ToolUnion } from '@google/adk';
import { z } from 'zod';
const tools: ToolUnion[] = [
  new FunctionTool({ name: 'a', description: 'A.', parameters: z.object({ of: z.string() }), execute: () => 1 }),
];
export const rootAgent = new LlmAgent({ name: 'root', model: 'gemini-2.5-flash', tools });`;

  it('gets the classes of the running installation', async () => {
    write('one/agent.ts', AGENT);

    const { rootAgent } = await load();

    expect(rootAgent).toBeInstanceOf(LlmAgent);
    expect((rootAgent as LlmAgent).tools[0]).toBeInstanceOf(FunctionTool);
  });

  it('is lent @google/genai, as it is lent zod', async () => {
    write(
      'one/agent.ts',
      `import { LlmAgent } from '@google/adk'; import { Type } from '@google/genai';
export const rootAgent = new LlmAgent({ name: 'root', model: 'gemini-2.5-flash', instruction: Type.OBJECT });`,
    );

    expect((await load()).rootAgent).toMatchObject({ instruction: 'OBJECT' });
  });

  it.each([
    ['as a namespace', `import * as adk from '@google/adk';`],
    ['by require', `const adk = require('@google/adk');`],
    ['when it runs', `const adk = await import('@google/adk');`],
  ])('gets them %s', async (_how, imported) => {
    write(
      'one/agent.ts',
      `${imported} export const rootAgent = new adk.LlmAgent({ name: 'root', model: 'gemini-2.5-flash' });`,
    );

    expect((await load()).rootAgent).toBeInstanceOf(LlmAgent);
  });

  it('gets them where its folder has a package of that name', async () => {
    write('one/node_modules/@google/adk/package.json', '{"name":"@google/adk","main":"index.js"}');
    write('one/node_modules/@google/adk/index.js', `throw new Error('a second engine');`);
    write('one/agent.ts', AGENT);

    expect((await load()).rootAgent).toBeInstanceOf(LlmAgent);
    await expect(load({ adkCompat: false })).rejects.toThrow('a second engine');
  });

  it('gets them through a package of its folder that imports it, and by the paths below it', async () => {
    write('one/node_modules/@google/adk/package.json', '{"name":"@google/adk","main":"index.js"}');
    write('one/node_modules/@google/adk/index.js', `throw new Error('a second engine');`);
    write('one/node_modules/@google/adk/a2a/index.js', `throw new Error('a second engine');`);
    write('one/node_modules/shared/package.json', '{"name":"shared","type":"module","main":"index.js"}');
    write(
      'one/node_modules/shared/index.js',
      `import { LlmAgent } from '@google/adk';
export const make = (name) => new LlmAgent({ name, model: 'gemini-2.5-flash' });`,
    );
    write(
      'one/agent.ts',
      `import { make } from 'shared';
import { LlmAgent } from '@google/adk/a2a';
import * as tools from '@google/adk/dist/esm/index.js';
export const rootAgent = new LlmAgent({ name: 'root', subAgents: [make('first'), new tools.LlmAgent({ name: 'second' })] });`,
    );

    const { rootAgent } = await load();

    expect([rootAgent, ...rootAgent.subAgents].map((agent) => agent instanceof LlmAgent)).toEqual([
      true,
      true,
      true,
    ]);
    await expect(load({ adkCompat: false })).rejects.toThrow('a second engine');
  });

  it('is told which export of a path below it is not here', async () => {
    write(
      'one/agent.ts',
      `import { SkillToolset } from '@google/adk/tools/skill';
export const rootAgent = new SkillToolset({});`,
    );

    await expect(load()).rejects.toThrow(/agent\.ts:2: SkillToolset of @google\/adk is not in @skein\/adk/);
  });

  it.each([
    '@google/adk/../other',
    '@google/adk/a/../../other',
    '@google/adk/./a',
    '@google/adk/%2e%2e/x',
    '@google/adk/',
  ])('is refused %j, which leaves the package', async (id) => {
    write('one/node_modules/@google/other/index.js', `module.exports = { name: 'got out' };`);
    write('one/agent.ts', `import * as other from '${id}'; export const rootAgent = other;`);

    await expect(load()).rejects.toMatchObject({
      code: 'agent.load-failed',
      message: expect.stringContaining(`"${id}" is no part of @google/adk.`),
    });
  });

  it('is told which export is not here, and where', async () => {
    write(
      'one/agent.ts',
      `import { LlmAgent, SkillToolset } from '@google/adk';
export const rootAgent = new LlmAgent({ name: 'root', model: 'gemini-2.5-flash',
  tools: [new SkillToolset({})] });`,
    );

    await expect(load()).rejects.toMatchObject({
      code: 'agent.load-failed',
      message: expect.stringMatching(
        /agent\.ts:3: SkillToolset of @google\/adk is not in @skein\/adk; .*coverage/,
      ),
    });
  });

  it('needs a package of that name where the switch is off', async () => {
    write('one/agent.ts', AGENT);

    await expect(load({ adkCompat: false })).rejects.toThrow(`Cannot find module '@google/adk'`);
  });
});

async function load(options: { adkCompat?: boolean } = {}): ReturnType<AgentLoader['load']> {
  return new AgentLoader({ agentsDir, cacheDir: process.env.AGENTS_CACHE_DIR, ...options }).load('one');
}

function write(file: string, text: string): void {
  const path = join(agentsDir, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
