import { readFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from '@nats-io/transport-node';
import { parseNatsServers } from '@skein/messaging';
import { Client } from 'pg';

export interface ServerVersions {
  readonly postgres: string;
  readonly nats: string;
}

/** Which servers a running stack has, as they say themselves. */
export async function serverVersions(dataDir: string): Promise<ServerVersions> {
  const { databaseUrl, natsUrl } = readAddresses(dataDir);
  return versionsOf(databaseUrl, natsUrl);
}

/** Where a running stack has its servers. */
export function readAddresses(dataDir: string): { readonly databaseUrl: string; readonly natsUrl: string } {
  // The stack's own address book.
  return JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')) as {
    databaseUrl: string;
    natsUrl: string;
  };
}

export async function versionsOf(databaseUrl: string, natsUrl: string): Promise<ServerVersions> {
  const nats = await connect({ ...parseNatsServers(natsUrl) });
  const version = nats.info?.version ?? 'unknown';
  await nats.close();
  return { postgres: await postgresVersion(databaseUrl), nats: version };
}

export async function postgresVersion(databaseUrl: string): Promise<string> {
  const postgres = new Client({ connectionString: databaseUrl });
  await postgres.connect();
  const { rows } = await postgres.query<{ server_version: string }>('show server_version');
  await postgres.end();
  return rows[0]?.server_version ?? 'unknown';
}
