import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { natsServerConfig } from '@skein/contracts';

const root = path.join(__dirname, '..');
const TEMPLATE = path.join(root, 'deploy', 'nats-accounts.json');

describe('the NATS server of docker compose', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'skein-nats-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function run(pools: string): SpawnSyncReturns<string> {
    const args = [path.join(root, 'deploy/make-secrets.mjs'), path.join(folder, 'made')];
    return spawnSync(process.execPath, args, {
      env: { ...process.env, TOOL_POOLS: pools },
      encoding: 'utf8',
    });
  }

  function make(pools = ''): void {
    const ended = run(pools);
    expect(ended).toMatchObject({ status: 0, stderr: '' });
  }

  const made = (name: string): string => readFileSync(path.join(folder, 'made', name), 'utf8');
  const passwordOf = (user: string): string => new URL(made(`nats_url_${user.replace('-', '_')}`)).password;

  it('has the accounts that the services need, made of the same list: deploy/nats-accounts.json', () => {
    const workers = [{ user: 'tool-worker', pools: ['POOL'] }];

    expect(JSON.parse(readFileSync(TEMPLATE, 'utf8'))).toEqual(
      natsServerConfig({ workers, passwordOf: (user) => `PASSWORD_OF_${user}` }),
    );
  });

  it.each([
    ['', ['default']],
    ['gpu,slow', ['gpu', 'slow']],
    ['gpu, slow,gpu', ['gpu', 'slow']],
  ])('lets the workers of TOOL_POOLS=%s serve %j', (set, pools) => {
    make(set);

    const config = JSON.parse(made('nats_conf')) as ReturnType<typeof natsServerConfig>;
    const expected = natsServerConfig({ workers: [{ user: 'tool-worker', pools }], passwordOf });
    expect(sorted(config)).toEqual(sorted(expected));
  });

  it('refuses what is no name of a pool, and does not keep it', () => {
    const refused = run('gpu,*');

    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('TOOL_POOLS: "*" is no name of a pool');
    make();
    expect(made('tool_pools')).toBe('default');
  });

  it('takes other pools at a second call, and keeps the passwords', () => {
    make();
    const before = readdirSync(path.join(folder, 'made')).map((name) => [name, made(name)]);

    make('gpu');
    make();

    const changed = before.filter(([name = '', content]) => made(name) !== content).map(([name]) => name);
    expect(changed).toEqual(['nats_conf', 'tool_pools']);
    expect(made('nats_conf')).toContain('tools_gpu');
  });
});

/** The order in a list of subjects says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sorted(inner)]));
}
