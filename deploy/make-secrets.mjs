/**
 * Makes the secrets docker-compose.yml names, those that are missing: `node deploy/make-secrets.mjs [folder]`. What is
 * there stays, so that a second call changes nothing; but for who may do what on NATS, which is of this version and of
 * TOOL_POOLS, where that is set: then NATS has to be started again. The folder is closed to others, and refused where it is not; a file in
 * it is open, because a container reads it under a user of its own.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const beside = path.join(path.dirname(fileURLToPath(import.meta.url)), 'secrets');
const folder = path.resolve(process.argv[2] ?? beside);
const template = path.join(beside, '..', 'nats-accounts.json');
const natsUsers = ['admin', 'session-svc', 'runner', 'gateway', 'tool-worker'];

try {
  makeAll();
} catch ({ message }) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

function makeAll() {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseOpenFolder();
  const postgres = keep('postgres_password', password);
  keep('database_url', () => `postgresql://skein:${postgres}@postgres:5432/skein`);
  const passwords = Object.fromEntries(natsUsers.map((user) => [user, natsPassword(user)]));
  renew('nats_conf', `${JSON.stringify(natsAccounts(passwords, toolPools()), null, 1)}\n`);
  keep('s3_root_password', password);
  keep('s3_secret_key', password);
  keep('skein_secret', password);
  keep('grafana_password', password);
}

/** Each service is told its own name and password, and no other's. */
function natsPassword(user) {
  const url = keep(`nats_url_${user.replace('-', '_')}`, () => `nats://${user}:${password()}@nats:4222`);
  return new URL(url).password;
}

/** Those of the environment, else of the last call. */
function toolPools() {
  const set = poolsIn(process.env.TOOL_POOLS ?? '');
  if (set.length > 0) renew('tool_pools', set.join(','));
  return poolsIn(keep('tool_pools', () => 'default'));
}

/** As a tool worker reads them: what it would refuse is refused here, before it is kept. */
function poolsIn(text) {
  const pools = [...new Set(text.split(',').map((pool) => pool.trim()))].filter(Boolean);
  const wrong = pools.find((pool) => !/^[a-zA-Z0-9-]{1,128}$/.test(pool));
  if (wrong === undefined) return pools;
  throw new Error(`TOOL_POOLS: "${wrong}" is no name of a pool: it must be 1 to 128 letters, digits and "-"`);
}

/** What deploy/nats-accounts.json says, once for each pool where it says POOL, with passwords. */
function natsAccounts(passwords, pools) {
  const fill = (value) => {
    if (Array.isArray(value)) return value.flatMap(forEachPool);
    if (typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
    return typeof value === 'string' && value.startsWith('PASSWORD_OF_') ? passwords[value.slice(12)] : value;
  };
  const forEachPool = (item) => {
    const text = JSON.stringify(item);
    const isOfPool = text.includes('POOL') && item.user === undefined;
    // Whoever hears of a worker hears of all the pools it may serve, in one subject.
    if (isOfPool && text.includes('announce.worker.'))
      return [fill(JSON.parse(text.replaceAll('POOL', pools.join('.'))))];
    return isOfPool ? pools.map((pool) => fill(JSON.parse(text.replaceAll('POOL', pool)))) : [fill(item)];
  };
  return fill(JSON.parse(readFileSync(template, 'utf8')));
}

/** It may be one that serves others too, so that its modes are its owner's to change. Windows has none. */
function refuseOpenFolder() {
  const mode = statSync(folder).mode & 0o777;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return;
  throw new Error(
    `${folder} is open to other users (${mode.toString(8)}), who could read every secret in it: chmod 700 it, or name another`,
  );
}

/** @returns what the file holds, which is made when there is none. */
function keep(name, make) {
  const file = path.join(folder, name);
  if (existsSync(file)) return contentOf(file);
  return write(file, make());
}

/** What is there stays while it says the same. */
function renew(name, content) {
  const file = path.join(folder, name);
  const isThere = existsSync(file);
  if (isThere && contentOf(file) === content.trim()) return;
  write(file, content);
  // Compose does not see that what it mounts has changed.
  if (isThere && name === 'nats_conf')
    process.stdout.write('NATS has to read it: docker compose restart nats\n');
}

function write(file, made) {
  // What a crash cuts short must not be taken for a secret.
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, made);
  chmodSync(unfinished, 0o444); // Whatever the umask is.
  renameSync(unfinished, file);
  process.stdout.write(`made ${file}\n`);
  return made;
}

function contentOf(file) {
  const content = readFileSync(file, 'utf8').trim();
  if (content === '') throw new Error(`${file} is empty: delete it, and it is made`);
  return content;
}

/** Of letters and digits alone: it stands in URLs and in a configuration file. */
function password() {
  return randomBytes(24).toString('hex');
}
