import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Event, type InMemoryRunner } from '@skein/adk';
import ts from 'typescript';

const root = path.join(__dirname, '..');
const BLOCK = /^```ts\n([^]*?)^```$/gm;

/** For those who run or change the stack, not for those who write agents; and one whose code is an example of its own. */
const WITHOUT_CODE = ['chaos.md', 'operate.md', 'subscribe.md'];

const pages = [
  'README.md',
  ...readdirSync(path.join(__dirname, 'how-to'))
    .filter((file) => !WITHOUT_CODE.includes(file))
    .map((file) => `docs/how-to/${file}`),
].map((page) => ({ page, file: path.join(root, `${page}.ts`), code: codeOf(page) }));

/** The blocks of a page are one module: what an earlier one declares a later one may use. */
function codeOf(page: string): string {
  return [...readFileSync(path.join(root, page), 'utf8').matchAll(BLOCK)].map(([, code]) => code).join('\n');
}

function compilerOptions(): ts.CompilerOptions {
  const file = path.join(root, 'tsconfig.json');
  const { config } = ts.readConfigFile(file, (name) => ts.sys.readFile(name)) as { config: unknown };
  return { ...ts.convertCompilerOptionsFromJson(optionsIn(config), root).options, noEmit: true };
}

function optionsIn(config: unknown): unknown {
  return typeof config === 'object' && config !== null && 'compilerOptions' in config
    ? config.compilerOptions
    : {};
}

/** Compiles the pages as if each were a file beside itself. */
function compile(): ts.Program {
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  const codeIn = (name: string) => pages.find(({ file }) => file === path.normalize(name))?.code;
  host.readFile = (name) => codeIn(name) ?? readFile(name);
  host.fileExists = (name) => codeIn(name) !== undefined || fileExists(name);
  host.getSourceFile = (name, version, ...more) => {
    const code = codeIn(name);
    return code === undefined
      ? getSourceFile(name, version, ...more)
      : ts.createSourceFile(name, code, version, true);
  };
  return ts.createProgram({ rootNames: pages.map(({ file }) => file), options, host });
}

function mistakesIn(program: ts.Program, file: string): string[] {
  const source = program.getSourceFile(file);
  const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return diagnostics.map(({ messageText, start = 0 }) => {
    const line = source?.getLineAndCharacterOfPosition(start).line ?? 0;
    const text = source?.text.split('\n')[line]?.trim() ?? '';
    return `${text}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

/** Runs a page's code with what this test itself imports. */
function run(code: string): Record<string, unknown> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  });
  const exports: Record<string, unknown> = {};
  // Our own pages, and there is no file to import; what is made of a text has no type.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const load = new Function('exports', 'require', outputText) as (exports: object, load: unknown) => void;
  load(exports, require);
  return exports;
}

describe('the code blocks of the pages', () => {
  let program: ts.Program;

  beforeAll(() => {
    program = compile();
  }, 60_000);

  it.each(pages)('of $page compile', ({ file, code }) => {
    expect(code).not.toBe('');
    expect(mistakesIn(program, file)).toEqual([]);
  });

  it.each(pages)('of $page make what they say they make', ({ code }) => {
    expect(() => run(code)).not.toThrow();
  });

  it('goes on with an answered call, and in a resumable app with the workflow around it (B47, B54)', async () => {
    const { answerLater, runner, takeBack } = exportsOf('docs/how-to/resume-and-rewind.md') as ResumePage;
    await runner.sessionService.createSession({ appName: 'office', userId: 'u', sessionId: 's' });

    const events = await answerLater(runner);
    await takeBack(events[0]?.invocationId ?? '');

    expect(events.flatMap(({ content }) => content?.parts?.[0]?.text ?? [])).toEqual([
      'It is approved.',
      'Filed.',
    ]);
    expect(new Set(events.map(({ invocationId }) => invocationId)).size).toBe(1);
    const session = await runner.sessionService.getSession({
      appName: 'office',
      userId: 'u',
      sessionId: 's',
    });
    expect(session?.events.at(-1)?.actions.rewindBeforeInvocationId).toBe(events[0]?.invocationId);
  });

  it('runs an agent in a unit test', async () => {
    const { whatItSays } = exportsOf('docs/how-to/state-artifacts-memory.md') as StatePage;

    expect(await whatItSays('hello')).toEqual(['Welcome back.']);
  });
});

interface ResumePage {
  readonly runner: InMemoryRunner;
  readonly answerLater: (runner: InMemoryRunner) => Promise<Event[]>;
  readonly takeBack: (invocationId: string) => Promise<void>;
}

interface StatePage {
  readonly whatItSays: (text: string) => Promise<string[]>;
}

/** What the named page exports; its shape is what the test expects of it. */
function exportsOf(page: string): unknown {
  return run(codeOf(page));
}
