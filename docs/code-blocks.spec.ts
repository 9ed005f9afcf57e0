import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Event, type InMemoryRunner, LlmAgent } from '@skein/adk';
import { runAgent } from '@skein/adk/testing';
import ts from 'typescript';

const root = path.join(__dirname, '..');
const BLOCK = /^```ts\n([^]*?)^```$/gm;

/** For those who run or change the stack, not for those who write agents; and one whose code is an example of its own. */
const WITHOUT_CODE = [
  'dead-letters.md',
  'artifacts-in-s3.md',
  'backup.md',
  'chaos.md',
  'deploy.md',
  'import-sessions.md',
  'operate.md',
  'scale-tool-workers.md',
  'subscribe.md',
  'trace.md',
  'upgrade.md',
];

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
function run(code: string, it: TakesTest = () => undefined): Record<string, unknown> {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 },
  });
  const exports: Record<string, unknown> = {};
  // Our own pages, and there is no file to import; what is made of a text has no type.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const load = new Function('exports', 'require', 'it', outputText) as (...given: unknown[]) => void;
  load(exports, require, it);
  return exports;
}

/** In place of `it`, which may not be called within a test. */
type TakesTest = (name: string, test: () => Promise<void>) => void;

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

  describe('follow a run over broken connections', () => {
    const { runOnce } = exportsOf('docs/how-to/streams-and-reconnecting.md') as StreamsPage;
    const sent = jest.spyOn(globalThis, 'fetch');
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
    afterEach(() => jest.useRealTimers());
    afterAll(() => sent.mockRestore());

    /** What comes of these answers, one a connection, in order. */
    async function follow(...answers: readonly (Response | Error)[]): Promise<unknown[]> {
      sent.mockReset();
      for (const answer of answers) {
        if (answer instanceof Error) sent.mockRejectedValueOnce(answer);
        else sent.mockResolvedValueOnce(answer);
      }
      const yielded: unknown[] = [];
      let isOver = false;
      const following = (async () => {
        for await (const frame of runOnce('http://gateway', {}, 'key')) yielded.push(frame);
      })().finally(() => (isOver = true));
      following.catch(() => undefined);
      while (!isOver) await jest.advanceTimersByTimeAsync(1000);
      await following;
      return yielded;
    }

    it('and yield what is stored once, whatever ends a connection', async () => {
      const frames = await follow(
        new TypeError('fetch failed'),
        new Response('later', { status: 503, headers: { 'retry-after': '2' } }),
        streamOf('data: {"id":"a","partial":true}\n\ndata: {"id":"a"}\n\n', 'breaks'),
        streamOf(
          'data: {"reset":"a"}\n\ndata: {"id":"a"}\n\nid: 2\ndata: {"id":"a","n":2}\n\nretry: 1000\n\n',
        ),
        streamOf('id: 3\ndata: {"id":"b"}\n\n'),
      );

      expect(frames).toEqual([{ id: 'a' }, { id: 'a', n: 2 }, { id: 'b' }]);
      const asked = sent.mock.calls.map(([, init]) => new Headers(init?.headers));
      expect(asked.map((headers) => headers.get('last-event-id'))).toEqual([null, null, null, null, '2']);
      expect(new Set(asked.map((headers) => headers.get('idempotency-key')))).toEqual(new Set(['key']));
    });

    it.each([
      ['a refusal', new Response('no such session', { status: 404 }), 'no such session'],
      ['a server that fails', new Response('unexpected', { status: 500 }), 'unexpected'],
      ['a run that failed', streamOf('data: {"error":"tool.failed: no"}\n\n'), 'tool.failed: no'],
    ])('and throw %s', async (_, answer, sentence) => {
      await expect(follow(answer)).rejects.toThrow(sentence);
    });
  });

  it('show pieces until their event, a reset or an error is there', () => {
    const { Shown } = exportsOf('docs/how-to/streams-and-reconnecting.md') as StreamsPage;
    const shown = new Shown();
    const piece = (text: string) => ({ id: 'a', partial: true, content: { parts: [{ text }] } });

    for (const frame of [piece('The '), { reset: 'a' }, piece('The bar '), piece('is ')]) shown.take(frame);
    expect([...shown.begun.values()]).toEqual(['The bar is ']);
    shown.take({ id: 'a', content: { parts: [{ text: 'The bar is open.' }] } });
    shown.take({ ...piece('And '), id: 'b' });
    shown.take({ error: 'ModelError: cut' });

    expect([[...shown.whole.values()], shown.begun.size]).toEqual([['The bar is open.'], 0]);
  });

  it('pass where they are tests', async () => {
    const tests: (() => Promise<void>)[] = [];
    run(codeOf('docs/how-to/testing-an-agent.md'), (_name, test) => tests.push(test));

    for (const test of tests) await test();

    expect(tests).toHaveLength(3);
  });

  it('asks the next model when one has no key, and tells the failure of the last one', async () => {
    const { steady } = exportsOf('docs/how-to/choosing-models.md') as ModelsPage;
    const agent = new LlmAgent({ name: 'alone', model: steady.model });

    const { events } = await runAgent(agent, 'hello');

    expect(events.at(-1)).toMatchObject({
      errorCode: 'model.no-key',
      errorMessage: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
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

interface ModelsPage {
  readonly steady: LlmAgent;
}

interface StreamsPage {
  readonly runOnce: (url: string, body: object, key: string) => AsyncGenerator;
  readonly Shown: new () => {
    readonly whole: ReadonlyMap<string, string>;
    readonly begun: ReadonlyMap<string, string>;
    take(frame: object): void;
  };
}

/** An answer of server-sent events, which ends or breaks behind them. */
function streamOf(text: string, end: 'ends' | 'breaks' = 'ends'): Response {
  const chunks = [text];
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = chunks.shift();
      if (chunk !== undefined) controller.enqueue(Buffer.from(chunk));
      else if (end === 'breaks') controller.error(new TypeError('terminated'));
      else controller.close();
    },
  });
  return new Response(body);
}

interface StatePage {
  readonly whatItSays: (text: string) => Promise<string[]>;
}

/** What the named page exports; its shape is what the test expects of it. */
function exportsOf(page: string): unknown {
  return run(codeOf(page));
}
