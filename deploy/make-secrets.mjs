/**
 * Makes the secrets docker-compose.yml names, those that are missing: `node deploy/make-secrets.mjs [folder]`. What is
 * there stays, so that a second call changes nothing. The folder is closed to others, and refused where it is not; a file in
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
  const nats = keep('nats_password', password);
  keep('nats_url', () => `nats://skein:${nats}@nats:4222`);
  keep('nats_conf', () => `authorization { user: skein, password: "${nats}" }\n`);
  keep('s3_root_password', password);
  keep('s3_secret_key', password);
  keep('skein_secret', password);
  keep('grafana_password', password);
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
  const made = make();
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
