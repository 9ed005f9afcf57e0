import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import { readStackConfig, startStack, type RunningStack, type StackState } from '@skein/stack';
import { eventually } from './eventually';
import { fakeApps, type FakeApps, type FakeSources } from './fake-apps';

class Captured extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Eight processes and, in one test, real servers start: on a busy machine that takes its time. */
jest.setTimeout(60_000);

describe('startStack', () => {
  const output = new Captured();
  let apps: FakeApps;
  let stack: RunningStack | undefined;

  afterEach(async () => {
    await stack?.stop();
    stack = undefined;
    rmSync(apps.folder, { recursive: true, force: true });
    output.text = '';
  });

  /** Embedded servers only where a test needs them: the URLs replace them. */
  async function start(
    sources: FakeSources = {},
    env: NodeJS.ProcessEnv = {},
    signal = new AbortController().signal,
  ) {
    apps = fakeApps(sources);
    return startOn(apps, env, signal);
  }

  async function startOn(
    { folder, entries }: FakeApps,
    env: NodeJS.ProcessEnv = {},
    signal = new AbortController().signal,
  ) {
    const external = { DATABASE_URL: 'postgresql://u:p@127.0.0.1:1/x', NATS_URL: 'nats://127.0.0.1:1' };
    const all = {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: path.join(folder, 'data'),
      AGENTS_DIR: os.tmpdir(),
      ...external,
      ...env,
    };
    stack = await startStack({
      config: readStackConfig([], all),
      output,
      signal,
      entries,
      restartLimits: { restarts: 2, windowMs: 60_000, firstDelayMs: 1 },
    });
    return stack;
  }

  function stackJson(): StackState {
    return JSON.parse(readFileSync(path.join(apps.folder, 'data', 'stack.json'), 'utf8')) as StackState;
  }

  it('starts every process, writes stack.json for us alone and prints where it is', async () => {
    await start();

    const state = stackJson();
    expect(state.processes.map(({ name }) => name)).toEqual([
      'session-svc',
      'runner-1',
      'runner-2',
      'tool-worker-1',
      'tool-worker-2',
      'gateway',
    ]);
    expect(statSync(path.join(apps.folder, 'data', 'stack.json')).mode & 0o777).toBe(0o600);
    expect(output.text).toMatch(new RegExp(`^Skein is ready: ${state.url}$`, 'm'));
    expect(output.text).toMatch(/^migrate +\| migrated up$/m);
  });

  it('tells the database and the secret to session-svc alone', async () => {
    const told = `require('node:fs').appendFileSync(__dirname + '/told', name + ':' + !!process.env.DATABASE_URL + !!process.env.SKEIN_SECRET + '\\n'); ready();`;

    await start({ 'session-svc': told, runner: told, 'tool-worker': told }, { SKEIN_SECRET: 'from outside' });

    const lines = readFileSync(path.join(apps.folder, 'told'), 'utf8').trim().split('\n').sort();
    expect(lines).toEqual([
      'runner-1:falsefalse',
      'runner-2:falsefalse',
      'session-svc:truetrue',
      'tool-worker-1:falsefalse',
      'tool-worker-2:falsefalse',
    ]);
    const gateway = (await (await fetch(stackJson().url ?? '')).json()) as NodeJS.ProcessEnv;
    expect(gateway).not.toHaveProperty('DATABASE_URL');
    expect(gateway).not.toHaveProperty('SKEIN_SECRET');
  });

  it('restarts a killed process under a new pid and says so in stack.json', async () => {
    await start();
    const killed = pidOf('tool-worker-2');

    process.kill(killed, 'SIGKILL');

    const restarted = await eventually('a new pid', () => {
      const pid = stackJson().processes.find(({ name }) => name === 'tool-worker-2')?.pid;
      return pid !== undefined && pid !== killed ? pid : undefined;
    });
    expect(isRunning(restarted ?? 0)).toBe(true);
    expect(output.text).toContain('tool-worker-2 died (SIGKILL)');
  });

  it('breaks when a process dies more often than it may', async () => {
    const running = await start({
      runner: `ready(); if (name === 'runner-1') setTimeout(() => { console.error('out of luck'); process.exit(3); }, 20);`,
    });

    const reason = await running.broken;

    expect(reason.message).toMatch(/^runner-1 died 3 times in 60 s: exit code 3.*\n {2}out of luck/);
  });

  it('tells what the last life of that process said last, and no more than ten lines of it', async () => {
    const running = await start({
      runner: `
        const life = require('node:fs').readdirSync(__dirname).length;
        if (name === 'runner-1') {
          require('node:fs').writeFileSync(__dirname + '/life-' + life, '');
          console.log('a warning of every start');
          ready();
          for (let line = 1; line <= 12; line++) console.log('life', life, 'line', line);
          setTimeout(() => process.exit(3), 50);
        } else ready();`,
    });

    const { message } = await running.broken;

    const [, ...lines] = message.split('\n  ');
    const lives = [...output.text.matchAll(/^runner-1 +\| life (\d+) line 12$/gm)].map(([, life]) => life);
    expect(lives).toHaveLength(3);
    expect(lines).toEqual(Array.from({ length: 10 }, (_, index) => `life ${lives[2]} line ${index + 3}`));
  });

  it('ends with the last words of a process that dies before it is ready, and leaves none running', async () => {
    const started = start({ runner: `console.error('no such model'); process.exit(7);` });

    await expect(started).rejects.toThrow(
      /^runner-\d ended before it was ready: exit code 7.*\n {2}no such model/,
    );
    await eventually('no process left', () => processesOf(apps.folder).length === 0);
    expect(() => stackJson()).toThrow('ENOENT');
  });

  it('ends with the reason a process reports', async () => {
    const started = start({ 'session-svc': `process.send({ type: 'failed', reason: 'NATS is away' });` });

    await expect(started).rejects.toThrow('session-svc cannot start: NATS is away');
  });

  it('ends when the migrations fail', async () => {
    const started = start({ migrate: `console.error('relation exists'); process.exit(1);` });

    await expect(started).rejects.toThrow(/could not be migrated.*\n {2}relation exists/);
  });

  it('ends what has begun when it is stopped while starting', async () => {
    const stopping = new AbortController();
    const started = start({ runner: `console.log('never ready');` }, {}, stopping.signal);
    const rejected = expect(started).rejects.toThrow();
    await eventually('runners that wait', () => output.text.includes('runner-2      | never ready'));

    stopping.abort();

    await rejected;
    await eventually('no process left', () => processesOf(apps.folder).length === 0);
  });

  it('leaves no process and no stack.json behind, not even one that ignores SIGTERM', async () => {
    const running = await start({
      'tool-worker': `process.removeAllListeners('SIGTERM'); process.on('SIGTERM', () => undefined); ready();`,
    });

    await running.stop(200);

    expect(processesOf(apps.folder)).toEqual([]);
    expect(() => stackJson()).toThrow('ENOENT');
  });

  it('refuses a DATA_DIR on which a stack runs', async () => {
    const first = await start();

    await expect(startOn(apps)).rejects.toThrow(
      `A stack already runs on ${path.join(apps.folder, 'data')} (pid ${process.pid}, http`,
    );

    stack = first;
  });

  it('ends what a killed stack left running, by stack.json', async () => {
    await start();
    const orphan = pidOf('runner-1');
    const left = stackJson();
    const file = path.join(apps.folder, 'data', 'stack.json');
    const first = stack;
    writeFileSync(
      file,
      JSON.stringify({
        ...left,
        stamp: 'of a process long gone',
        processes: left.processes.filter(({ name }) => name === 'runner-1'),
      }),
    );

    const second = await startOn(apps);

    expect(output.text).toContain('ended what a killed stack left behind: runner-1');
    expect(second.processes().map(({ pid }) => pid)).not.toContain(orphan);
    await first?.stop();
  });

  it('runs with the embedded servers, and restarts them on the same ports', async () => {
    await start({}, { DATABASE_URL: '', NATS_URL: '' });
    const before = stackJson();

    process.kill(pidOf('nats'), 'SIGKILL');
    process.kill(pidOf('postgres'), 'SIGKILL');

    await eventually(
      'both restarted',
      () => {
        const now = stackJson().processes.filter(({ app }) => app === 'nats' || app === 'postgres');
        return now.length === 2 && now.every(({ pid }) => !before.processes.some((old) => old.pid === pid));
      },
      45_000,
    );
    expect(stackJson().databaseUrl).toBe(before.databaseUrl);
    expect(stackJson().natsUrl).toBe(before.natsUrl);
  });

  function pidOf(wanted: string): number {
    return stackJson().processes.find(({ name }) => name === wanted)?.pid ?? 0;
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // ESRCH is the answer "no".
    return false;
  }
}

/** Every process of this machine whose command line names the folder. */
function processesOf(folder: string): readonly string[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,command='], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.includes(folder));
}
