/**
 * Makes the secrets docker-compose.yml names, those that are missing: `node deploy/make-secrets.mjs [folder]`. What is
 * there stays, so that a second call changes nothing. The folder is closed to others; a file in it is not, because a
 * container reads it under a user of its own.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const beside = path.join(path.dirname(fileURLToPath(import.meta.url)), 'secrets');
const folder = path.resolve(process.argv[2] ?? beside);

mkdirSync(folder, { recursive: true, mode: 0o700 });
const postgres = keep('postgres_password', password);
keep('database_url', () => `postgresql://skein:${postgres}@postgres:5432/skein`);
const nats = keep('nats_password', password);
keep('nats_url', () => `nats://skein:${nats}@nats:4222`);
keep('nats_conf', () => `authorization { user: skein, password: "${nats}" }\n`);
keep('s3_secret_key', password);
keep('skein_secret', password);
keep('grafana_password', password);

/** @returns what the file holds, which is made when there is none. */
function keep(name, make) {
  const file = path.join(folder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = make();
  writeFileSync(file, made, { flag: 'wx' });
  chmodSync(file, 0o444); // Whatever the umask is.
  process.stdout.write(`made ${file}\n`);
  return made;
}

/** Of letters and digits alone: it stands in URLs and in a configuration file. */
function password() {
  return randomBytes(24).toString('hex');
}
