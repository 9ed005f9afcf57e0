import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { type SwitchCommand } from './kill-switch';

/** Passes its one point at every message that is a number. */
const PROGRAM = `
const { pass } = require('./kill-switch.js').register('a.ts', ['1:before']);
process.on('message', (message) => {
  if (typeof message !== 'number') return;
  for (let i = 0; i < message; i++) pass(0);
  process.send('passed');
});
// The switch does not keep a process alive.
setInterval(() => undefined, 1_000);
process.send('ready');
`;

describe('the kill switch', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-kill-switch-'));
  const log = path.join(folder, 'log.jsonl');
  let child: ChildProcess;

  beforeAll(() => {
    const source = readFileSync(path.join(__dirname, 'kill-switch.ts'), 'utf8');
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
    writeFileSync(
      path.join(folder, 'kill-switch.js'),
      ts.transpileModule(source, { compilerOptions }).outputText,
    );
    writeFileSync(path.join(folder, 'program.js'), PROGRAM);
  });
  afterEach(() => child.kill('SIGKILL'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function start(env: NodeJS.ProcessEnv = {}): Promise<void> {
    child = fork(path.join(folder, 'program.js'), { env: { ...process.env, KILL_POINTS_LOG: log, ...env } });
    await once(child, 'message');
  }
  const command = (message: SwitchCommand): boolean => child.send(message);

  it('kills its process at the n-th pass of the armed point, and says where', async () => {
    await start();
    command({ type: 'kill-points.arm', point: 'a.ts:1:before', passes: 3 });
    child.send(2);
    await once(child, 'message');
    child.send(1);

    const [code, signal] = (await once(child, 'exit')) as [number | null, string];

    expect([code, signal]).toEqual([null, 'SIGKILL']);
    const last: unknown = JSON.parse(readFileSync(log, 'utf8').trim().split('\n').at(-1) ?? '');
    expect(last).toMatchObject({ pid: child.pid, point: 'a.ts:1:before', pass: 3 });
  });

  it('does nothing when it is disarmed, and tells what was passed', async () => {
    await start();
    command({ type: 'kill-points.arm', point: 'a.ts:1:before', passes: 1 });
    command({ type: 'kill-points.disarm' });
    child.send(5);
    await once(child, 'message');
    command({ type: 'kill-points.report' });

    const [report] = (await once(child, 'message')) as [unknown];

    expect(report).toEqual({ type: 'kill-points.passes', passes: { 'a.ts:1:before': 5 } });
  });

  it('is armed from its start by KILL_POINT', async () => {
    await start({ KILL_POINT: 'a.ts:1:before*2' });
    child.send(2);

    const [, signal] = (await once(child, 'exit')) as [number | null, string];

    expect(signal).toBe('SIGKILL');
  });
});
