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
  // The stack's own address book.
  const { databaseUrl, natsUrl } = JSON.parse(readFileSync(path.join(dataDir, 'stack.json'), 'utf8')) as {
    databaseUrl: string;
    natsUrl: string;
  };
  return versionsOf(databaseUrl, natsUrl);
}

export async function versionsOf(databaseUrl: string, natsUrl: string): Promise<ServerVersions> {
  const postgres = new Client({ connectionString: databaseUrl });
  await postgres.connect();
  const { rows } = await postgres.query<{ server_version: string }>('show server_version');
  await postgres.end();

  const nats = await connect({ ...parseNatsServers(natsUrl) });
  const version = nats.info?.version ?? 'unknown';
  await nats.close();
  return { postgres: rows[0]?.server_version ?? 'unknown', nats: version };
}
