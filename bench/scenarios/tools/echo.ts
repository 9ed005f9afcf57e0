import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectNats, LocalPayloadStore, MessagingMetrics, RpcClient, serveRpc } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { startEmbeddedNats } from '@skein/stack';
import { z } from 'zod';

const SUBJECT = 'rpc.echo';
const schema = z.object({ text: z.string() });
/** About what a call of a tool takes. */
const body = { text: 'x'.repeat(1_500) };

export interface Echo {
  roundTripMs(): Promise<number>;
  stop(): Promise<void>;
}

/** A request and its reply over core NATS, as our services ask each other, on a server of its own. */
export async function startEcho(): Promise<Echo> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'skein-echo-'));
  const nats = await startEmbeddedNats({ dataDir });
  const server = fork(__filename, [nats.url, dataDir]);
  await once(server, 'message');
  const connection = await connect(nats.url, dataDir);
  const rpc = new RpcClient(connection);
  return {
    async roundTripMs() {
      const sentAtMs = performance.now();
      await rpc.request(SUBJECT, schema, body, { timeoutMs: 5_000 });
      return performance.now() - sentAtMs;
    },
    async stop() {
      await connection.close();
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      await nats.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function connect(url: string, dataDir: string): ReturnType<typeof connectNats> {
  return connectNats({
    ...{ url, name: 'bench', logger: silentLogger, metrics: new MessagingMetrics() },
    payloads: new LocalPayloadStore(path.join(dataDir, 'payloads')),
    payloadLimitBytes: 262_144,
  });
}

/** The process that answers. */
async function serve(url: string, dataDir: string): Promise<void> {
  const connection = await connect(url, dataDir);
  serveRpc(connection, SUBJECT, { queue: 'echo', schema, handler: async (asked) => asked });
  await connection.flush();
  process.send?.('ready');
}

if (require.main === module) {
  const [, , url = '', dataDir = ''] = process.argv;
  void serve(url, dataDir);
}
