import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Event } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

const MAIN = path.resolve(__dirname, '../../examples/python-worker/main.py');

const AGENT = `
import { LlmAgent, RemoteTool, ScriptedLlm } from '@skein/adk';

const says = (...parts) => ({ content: { role: 'model', parts } });
const calls = (name, args) => says({ functionCall: { name, args } });
const remote = (name) => new RemoteTool({ name, description: name, pool: 'python', retry: { maxAttempts: 5 } });

export const rootAgent = new LlmAgent({
  name: 'agent',
  model: new ScriptedLlm({
    responses: [
      calls('word_count', { text: 'one two three' }),
      calls('count_slowly', { to: 15 }),
      says({ text: 'counted' }),
    ],
  }),
  tools: [remote('word_count'), remote('count_slowly')],
});
`;

/** The example, as its README has it started. */
class PythonWorker {
  log = '';
  readonly #child: ChildProcess;

  constructor({ dataDir }: Skein) {
    // As the stack wrote it.
    const stack = JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')) as {
      toolWorkerNatsUrl: string;
    };
    const settings = { NATS_URL: stack.toolWorkerNatsUrl, TOOL_POOLS: 'python', DATA_DIR: dataDir };
    this.#child = spawn('python3', [MAIN], {
      env: { PATH: process.env.PATH, PYTHONDONTWRITEBYTECODE: '1', ACK_WAIT_MS: '3000', ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.log += chunk.toString()));
    }
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    this.#child.kill(signal);
    const [code] = (await once(this.#child, 'exit')) as [number | null]; // As node documents it.
    return code;
  }
}

describe('tools in Python over the services', () => {
  let skein: Skein;
  let worker: PythonWorker | undefined;

  beforeAll(async () => {
    skein = await Skein.start({
      agents: { 'python-tools': AGENT },
      env: { TOOL_POOLS: 'python', TOOL_WORKERS: '1', RUNNERS: '1', ACK_WAIT_MS: '3000' },
    });
  }, 120_000);

  afterEach(async () => {
    await worker?.end('SIGKILL');
    worker = undefined;
  });

  afterAll(() => skein?.stop(), 60_000);

  it('answer a conversation with the rights of a worker: progress on the stream, and what they set is stored', async () => {
    worker = new PythonWorker(skein);
    const client = new Client(skein.url, 'python-tools');
    await client.createSession('s');

    const frames = await client.runSse('s', 'count');

    const events = frames.map(({ data }) => data);
    expect(resultsOf(events)).toEqual([{ words: 3 }, { counted: 15 }]);
    const counted = progressOf(events);
    expect(counted).toEqual([...new Set(counted)].sort((one, other) => one - other));
    expect(counted.length).toBeGreaterThan(5);
    expect(textOf(events.at(-1))).toBe('counted');
    expect((await client.getSession('s')).state).toMatchObject({ counted: 15 });
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(`${worker.log}${skein.log()}`).not.toMatch(/[Pp]ermissions [Vv]iolation/);
  }, 60_000);

  it('outlive their worker: one that is killed in a call is started again, and the call is run again', async () => {
    worker = new PythonWorker(skein);
    const client = new Client(skein.url, 'python-tools', 'bob');
    await client.createSession('s');
    const run = client.runSse('s', 'count');
    const first = worker;
    await waitUntil('the call is begun', () => first.log.includes('counts to 15'));

    await first.end('SIGKILL');
    const second = (worker = new PythonWorker(skein));
    const events = (await run).map(({ data }) => data);

    expect(resultsOf(events)).toEqual([{ words: 3 }, { counted: 15 }]);
    expect(second.log).toContain('counts to 15');
    expect(textOf(events.at(-1))).toBe('counted');
    expect((await client.getSession('s')).state).toMatchObject({ counted: 15 });
  }, 60_000);
});

function resultsOf(events: readonly Event[]): unknown[] {
  return events.flatMap(({ partial, content }) =>
    (content?.parts ?? []).flatMap(({ functionResponse }) =>
      !partial && functionResponse ? [functionResponse.response] : [],
    ),
  );
}

function progressOf(events: readonly Event[]): number[] {
  return events.flatMap(({ partial, content }) =>
    (content?.parts ?? []).flatMap(({ functionResponse }) =>
      partial && functionResponse?.willContinue === true
        ? [(functionResponse.response?.progress as { counted: number }).counted] // As the example tells it.
        : [],
    ),
  );
}
