import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedNats, startEmbeddedPostgres } from '@skein/stack';

export interface Servers {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly stop: () => Promise<void>;
}

/** A PostgreSQL and a NATS server that belong to the test, as an operator's would. */
export async function startServers(): Promise<Servers> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'skein-servers-'));
  const [postgres, nats] = await Promise.all([
    startEmbeddedPostgres({ dataDir }),
    startEmbeddedNats({ dataDir }),
  ]);
  return {
    databaseUrl: postgres.url,
    natsUrl: nats.url,
    stop: async () => {
      await Promise.all([postgres.stop(), nats.stop()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
