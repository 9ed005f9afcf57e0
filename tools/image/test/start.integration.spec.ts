import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { waitUntil } from '../../../test/support/wait-until';

const program = path.join(__dirname, '..', 'start.mjs');
/** Nobody listens there, so that a start waits. */
const NOWHERE = { NATS_URL: 'nats://127.0.0.1:9', DATABASE_URL: 'postgres://127.0.0.1:9/d' };

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

function start(command: readonly string[], env: NodeJS.ProcessEnv = {}): { said: () => string } {
  let text = '';
  child = spawn(process.execPath, [program, ...command], { env: { ...process.env, ...env } });
  child.stdout?.on('data', (piece: Buffer) => (text += piece.toString()));
  child.stderr?.on('data', (piece: Buffer) => (text += piece.toString()));
  return { said: () => text };
}

async function exitCode(): Promise<number | null> {
  if (!child) throw new Error('nothing was started');
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

describe("the image's commands", () => {
  it.each([[[]], [['gatway']], [['constructor']]])('do not include %j', async (command) => {
    const { said } = start(command);

    expect(await exitCode()).toBe(2);
    expect(said()).toContain('there are gateway, runner, tool-worker, session-svc, migrate, import');
  });

  it.each(['gateway', 'runner', 'tool-worker', 'session-svc'])(
    '%s ends in order when it is stopped while it waits for NATS or Postgres',
    async (command) => {
      const secret = { SKEIN_SECRET: 'a secret of the tests' };
      const { said } = start([command], { ...NOWHERE, ...secret, LOG_FORMAT: 'json', HEALTH_PORT: '0' });

      await waitUntil('it to wait', () => said().includes('not there yet') || undefined);
      child?.kill('SIGTERM');

      expect(await exitCode()).toBe(0);
      expect(said()).toContain('ended');
    },
  );

  it('migrate ends at once when it is stopped', async () => {
    const { said } = start(['migrate'], NOWHERE);

    await waitUntil('it to wait', () => said().includes('not there yet') || undefined);
    child?.kill('SIGTERM');

    expect(await exitCode()).toBe(143);
  });

  it('migrate refuses what it does not know', async () => {
    const { said } = start(['migrate', 'sideways'], NOWHERE);

    expect(await exitCode()).toBe(1);
    expect(said()).toContain('usage: migrate up|down');
  });
});
