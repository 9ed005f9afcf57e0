import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { LlmAgent } from '@skein/adk';

const engine = path.join(__dirname, '..', 'libs', 'engine', 'src');
const page = readFileSync(path.join(__dirname, 'reference', 'engine.md'), 'utf8');
/** What stands in backticks on the page. */
const named = new Set([...page.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

function source(file: string): string {
  return readFileSync(path.join(engine, file), 'utf8');
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

function missing(names: readonly string[]): string[] {
  return names.filter((name) => !named.has(name));
}

describe('the reference of the engine', () => {
  it('names the processors in their order', () => {
    const { requestProcessors } = new LlmAgent({ name: 'any' });
    const [, section = ''] = /## Processors\n([^]*?)\n## /.exec(page) ?? [];

    expect(namesIn(section, /^\| `([\w-]+)`/gm)).toEqual(requestProcessors.map(({ name }) => name));
  });

  it('names all 14 hooks', () => {
    const hooks = namesIn(source('plugin/base-plugin.ts'), /^ {2}(\w+Callback)\?\(/gm);

    expect(hooks).toHaveLength(14);
    expect(missing(hooks)).toEqual([]);
  });

  it('names every option of an agent with a model', () => {
    const options = namesIn(source('agent/llm-agent-config.ts'), /^ {2}readonly (\w+)\??:/gm);

    expect(options.length).toBeGreaterThan(20);
    expect(missing(options)).toEqual([]);
  });

  it('names every code of the engine', () => {
    const files = readdirSync(engine, { recursive: true, encoding: 'utf8' });
    const code = files
      .filter((file) => /(?<!\.spec)\.ts$/.test(file))
      .map(source)
      .join('\n');
    // However an error is made of them. Of the others two are names in spans, and one is session-svc's.
    const codes = namesIn(code, /'((?!skein\.|error\.|append\.)[a-z]+\.[a-z-]+)'/g);

    expect(codes.length).toBeGreaterThan(40);
    expect(missing(codes)).toEqual([]);
  });

  it('names every code of the models', () => {
    const models = path.join(__dirname, '..', 'libs', 'models', 'src');
    const code = readdirSync(models, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.ts$/.test(file))
      .map((file) => readFileSync(path.join(models, file), 'utf8'))
      .join('\n');
    const codes = namesIn(code, /'(model\.[a-z-]+)'/g);

    expect(codes.length).toBeGreaterThan(10);
    expect(missing(codes)).toEqual([]);
  });

  it('names every code of the toolsets', () => {
    const toolsets = path.join(__dirname, '..', 'libs', 'toolsets', 'src');
    const code = readdirSync(toolsets, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!\.spec)\.ts$/.test(file))
      .map((file) => readFileSync(path.join(toolsets, file), 'utf8'))
      .join('\n');
    const codes = namesIn(code, /'((?:egress|openapi|mcp)\.[a-z-]+)'/g);

    expect(codes.length).toBeGreaterThan(6);
    expect(missing(codes)).toEqual([]);
  });
});
