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
    // Of an operator, and for the next call.
    const notMounted = ['nats_url_admin', 'tool_pools'];
    expect(taken.map(([, name]) => name).sort()).toEqual(made.filter((name) => !notMounted.includes(name)));
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

describe('make-s3-account', () => {
  /** Runs it as s3-account does, beside an `mc` that notes what it is asked for. */
  function makeAccount(mc: string | undefined): Ended & { readonly asked: () => string } {
    const notes = path.join(folder, 'notes');
    const bin = path.join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    if (mc !== undefined) writeFileSync(path.join(bin, 'mc'), mc, { mode: 0o755 });
    for (const name of ['root', 'own']) writeFileSync(path.join(folder, name), `the ${name} password\n`);
    const env = {
      PATH: mc === undefined ? bin : `${bin}:${process.env.PATH ?? ''}`,
      NOTES: notes,
      S3_ENDPOINT: 'http://minio:9000',
      S3_BUCKET: 'skein',
      S3_ACCESS_KEY: 'app',
      S3_SECRET_KEY_FILE: path.join(folder, 'own'),
      S3_ROOT_USER: 'root',
      S3_ROOT_PASSWORD_FILE: path.join(folder, 'root'),
    };
    const ended = spawnSync('/bin/bash', [path.join(root, 'deploy/make-s3-account.sh')], {
      env,
      encoding: 'utf8',
    });
    return { ...ended, asked: () => readFileSync(notes, 'utf8') };
  }

  /** Notes its arguments, and what comes through a pipe. */
  const NOTING = '#!/bin/bash\necho "mc $*" >>"$NOTES"\nif [ -p /dev/stdin ]; then cat >>"$NOTES"; fi\n';

  it('has MinIO make an account that opens the one bucket, and puts no secret among arguments', () => {
    const { status, asked } = makeAccount(
      `${NOTING}[ "$3" = create ] && cat "$6" >>"$NOTES.policy"\nexit 0\n`,
    );

    expect(status).toBe(0);
    expect(asked()).toMatch(
      /^mc alias set server http:\/\/minio:9000\nroot\nthe root password\nmc admin user add server\napp\nthe own password\nmc admin policy create server app \S+\nmc admin policy attach server app --user app\n$/,
    );
    const policy = JSON.parse(readFileSync(path.join(folder, 'notes.policy'), 'utf8')) as unknown;
    expect(JSON.stringify(policy).match(/arn:aws:s3:::[^"]+/g)).toEqual([
      'arn:aws:s3:::skein',
      'arn:aws:s3:::skein/*',
    ]);
    expect(JSON.stringify(policy)).not.toMatch(/"s3:\*"|"admin:/);
  });

  it('may run again where an older mc calls that a mistake', () => {
    const older =
      '[ "$3" = attach ] && { echo "mc: <ERROR> The policy change is already in effect" >&2; exit 1; }\nexit 0\n';

    expect(makeAccount(NOTING + older)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each(['alias', 'user', 'create', 'attach'])('fails when mc fails at %s', (word) => {
    const failing = `case " $* " in *" ${word} "*) echo "mc: <ERROR> Access denied" >&2; exit 1;; esac\n`;

    const { status, stderr } = makeAccount(NOTING + failing);

    expect(status).toBe(1);
    expect(stderr).toContain('Access denied');
  });

  it('leaves the account to a server without mc', () => {
    const { status, stdout } = makeAccount(undefined);

    expect(status).toBe(0);
    expect(stdout).toContain('whether the S3 server knows the account app is its own affair');
  });
});
