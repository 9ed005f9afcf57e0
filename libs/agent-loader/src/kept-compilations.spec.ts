import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WARNINGS } from '@skein/engine';
import { AgentLoader } from './agent-loader';
import { KeptCompilations } from './kept-compilations';

let root: string;
let folder: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'skein-kept-'));
  folder = join(root, 'compiled');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Compiles nothing, but says what it was asked for. */
function compiler() {
  const asked: string[] = [];
  const compile = ({ source }: { source: string }): string => {
    asked.push(source);
    return `compiled ${source}`;
  };
  return { asked, compile };
}

describe('KeptCompilations', () => {
  it('compiles what it has not kept, once for all who use the folder', () => {
    const { asked, compile } = compiler();
    const take = (source: string, filename = '/a/agent.ts'): string =>
      new KeptCompilations(folder).take({ source, filename, ts: true }, compile);

    expect([take('one'), take('one'), take('two'), take('one', '/b/agent.ts')]).toEqual([
      'compiled one',
      'compiled one',
      'compiled two',
      'compiled one',
    ]);
    expect(asked).toEqual(['one', 'two']);
    expect(statSync(folder).mode & 0o077).toBe(0);
  });

  it('compiles anew for other settings, for another kind of file, and where the place is compiled in', () => {
    const { asked, compile } = compiler();
    const kept = new KeptCompilations(folder);

    kept.take({ source: 'one', filename: '/a/agent.ts' }, compile);
    kept.take({ source: 'one', filename: '/a/agent.ts', async: true }, compile);
    kept.take({ source: 'one', filename: '/a/agent.tsx' }, compile);
    kept.take({ source: 'import.meta.url', filename: '/a/agent.ts' }, compile);
    kept.take({ source: 'import.meta.url', filename: '/b/agent.ts' }, compile);

    expect(asked).toHaveLength(5);
  });

  it('compiles anew what was cut short, and keeps that', () => {
    const { asked, compile } = compiler();
    const kept = new KeptCompilations(folder);
    const take = (): string => kept.take({ source: 'one' }, compile);
    take();
    const [file = ''] = readdirSync(folder).map((name) => join(folder, name));
    for (const broken of ['', readFileSync(file, 'utf8').slice(0, -1)]) {
      writeFileSync(file, broken);

      expect([take(), take()]).toEqual(['compiled one', 'compiled one']);
    }
    expect(asked).toHaveLength(3);
  });

  it('does without the folder where it cannot write, and says so once', () => {
    writeFileSync(folder, 'a file');
    const { asked, compile } = compiler();
    const kept = new KeptCompilations(folder);

    const told = warningsDuring(() => {
      kept.take({ source: 'one' }, compile);
      kept.take({ source: 'one' }, compile);
    });

    expect(asked).toEqual(['one', 'one']);
    expect(told).toEqual([
      {
        message: 'compiled agent files are not kept',
        fields: { folder, reason: expect.stringMatching(/EEXIST|ENOTDIR/) },
      },
    ]);
  });

  it('begins anew when the folder is full, and leaves nothing else behind', () => {
    const { compile } = compiler();
    const kept = new KeptCompilations(folder);
    mkdirSync(folder);
    for (let n = 0; n < 2_000; n++) writeFileSync(join(folder, `${n}.js`), '');

    kept.take({ source: 'one' }, compile);
    kept.take({ source: 'two' }, compile);

    expect(readdirSync(folder)).toHaveLength(2);
  });
});

describe('AgentLoader with a folder for what it compiled', () => {
  const agent = `import { LlmAgent, ScriptedLlm } from '@skein/adk';
enum Names { Root = 'root' }
export const rootAgent: LlmAgent = new LlmAgent({ name: Names.Root, model: new ScriptedLlm({ responses: [] }) });
`;

  it('runs an agent that was compiled by an earlier one', async () => {
    const agentsDir = agentsOf(agent);
    await load(agentsDir);
    const [file = ''] = readdirSync(folder);
    const keptAt = statSync(join(folder, file)).mtimeMs;

    const { rootAgent } = await load(agentsDir);

    expect(rootAgent.name).toBe('root');
    expect(readdirSync(folder)).toEqual([file]);
    expect(statSync(join(folder, file)).mtimeMs).toBe(keptAt);
  });

  it('tells the line of what fails in it', async () => {
    const agentsDir = agentsOf(`${agent}\nthrow new Error('no key');`);

    for (let n = 0; n < 2; n++) await expect(load(agentsDir)).rejects.toThrow(/agent\.ts:5: no key/);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('keeps nothing of what is not TypeScript', async () => {
    const agentsDir = agentsOf(`${agent}\nconst = 1;`);

    for (let n = 0; n < 2; n++) await expect(load(agentsDir)).rejects.toThrow(/agent\.ts:5: /);
    expect(existsSync(folder)).toBe(false);
  });
});

function agentsOf(source: string): string {
  const agentsDir = join(root, 'agents');
  mkdirSync(join(agentsDir, 'one'), { recursive: true });
  writeFileSync(join(agentsDir, 'one', 'agent.ts'), source);
  return agentsDir;
}

function load(agentsDir: string) {
  return new AgentLoader({ agentsDir, cacheDir: folder }).load('one');
}

function warningsDuring(work: () => void): unknown[] {
  const told: unknown[] = [];
  const hear = (warning: unknown): unknown => told.push(warning);
  subscribe(WARNINGS, hear);
  work();
  unsubscribe(WARNINGS, hear);
  return told;
}
