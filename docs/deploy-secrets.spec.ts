import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(__dirname, '..');
const compose = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'skein-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}

describe('make-secrets', () => {
  const inFolder = (name: string): string => path.join(folder, 'made', name);

  function make(): Ended {
    const program = path.join(root, 'deploy/make-secrets.mjs');
    return spawnSync(process.execPath, [program, path.join(folder, 'made')], { encoding: 'utf8' });
  }

  it('makes every secret that compose takes, once, closed to others on this machine', () => {
    const first = make();
    const again = make();
    const made = readdirSync(path.join(folder, 'made'));

    expect(first.stdout.split('\n')).toHaveLength(made.length + 1);
    expect(again).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(modeOf(path.join(folder, 'made'))).toBe(0o700);
    expect(made.map((name) => modeOf(inFolder(name)))).toEqual(made.map(() => 0o444));
    expect(readFileSync(inFolder('database_url'), 'utf8')).toContain(
      readFileSync(inFolder('postgres_password'), 'utf8'),
    );
    const taken = [...compose.matchAll(/file: '\$\{SKEIN_SECRETS:-\.\/deploy\/secrets\}\/(\w+)'/g)];
    expect(taken.map(([, name]) => name).sort()).toEqual(made.filter((name) => name !== 'nats_password'));
  });

  it('refuses a folder that is open to others', () => {
    mkdirSync(path.join(folder, 'made'));
    chmodSync(path.join(folder, 'made'), 0o755);

    const { status, stderr } = make();

    expect(status).toBe(1);
    expect(stderr).toBe(
      `${path.join(folder, 'made')} is open to other users (755), who could read every secret in it: chmod 700 it, or name another\n`,
    );
    expect(readdirSync(path.join(folder, 'made'))).toEqual([]);
  });

  it('takes no empty file for a secret, and nothing that a crash cut short', () => {
    mkdirSync(path.join(folder, 'made'), { mode: 0o700 });
    writeFileSync(inFolder('postgres_password.unfinished'), '', { mode: 0o444 });
    expect(make().status).toBe(0);
    expect(readdirSync(path.join(folder, 'made'))).not.toContain('postgres_password.unfinished');
    expect(readFileSync(inFolder('postgres_password'), 'utf8')).toMatch(/^[0-9a-f]{48}$/);

    rmSync(inFolder('skein_secret'));
    writeFileSync(inFolder('skein_secret'), '');
    const { status, stderr } = make();
    expect(status).toBe(1);
    expect(stderr).toBe(`${inFolder('skein_secret')} is empty: delete it, and it is made\n`);
  });
});
