import { cpSync, mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '@nats-io/transport-node';
import {
  connectNats,
  LocalPayloadStore,
  type MessagingConnection,
  publishCore,
  parseNatsServers,
} from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { goldenFolder, writeGolden } from './golden-version';

/** Larger than the smallest limit a deployment may set. */
export const LARGE_BODY = { text: 'a body that travels by reference '.repeat(40) };

/** A connection of its own, with payloads in this folder. */
export function connectWith(natsUrl: string, folder: string): Promise<MessagingConnection> {
  const payloads = new LocalPayloadStore(folder);
  return connectNats({
    url: natsUrl,
    name: 'golden',
    logger: silentLogger,
    payloadLimitBytes: 1_024,
    payloads,
  });
}

/** Records a message whose body lies in the payload store, with the file that holds it. */
export async function recordClaimCheck(version: string, natsUrl: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'skein-payloads-'));
  const nats = await connect({ ...parseNatsServers(natsUrl) });
  const heard = nats.subscribe('golden.large', { max: 1 });
  await nats.flush();
  const connection = await connectWith(natsUrl, folder);
  await publishCore(connection, 'golden.large', LARGE_BODY);
  for await (const { headers } of heard) {
    const all = Object.fromEntries((headers?.keys() ?? []).map((key) => [key, headers?.values(key) ?? []]));
    writeGolden(all, version, 'claim-check.json');
  }
  const kept = path.join(goldenFolder(version), 'payloads');
  mkdirSync(kept, { recursive: true });
  cpSync(folder, kept, { recursive: true });
  await connection.close();
  await nats.close();
  await rm(folder, { recursive: true, force: true });
}
