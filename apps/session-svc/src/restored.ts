import path from 'node:path';
import { connectNats, forgetPast, LocalPayloadStore, provisionStreams } from '@skein/messaging';
import { createLogger, loadConfig, withoutPassword } from '@skein/platform';
import { beginAnew } from '@skein/session-store';
import { restoredConfig } from './config';

/** `node restored.js`: after a restore of the database and before any process of the product runs again. */
async function main(): Promise<void> {
  const config = loadConfig(restoredConfig);
  const logger = createLogger({ service: 'restored', level: 'info', format: 'pretty' });
  const connection = await connectNats({
    url: config.NATS_URL,
    creds: config.NATS_CREDS,
    name: 'restored',
    logger,
    payloads: new LocalPayloadStore(path.join(config.DATA_DIR, 'payloads')),
    payloadLimitBytes: config.PAYLOAD_LIMIT_BYTES,
  });
  try {
    await provisionStreams(connection);
    // The streams first: cut off behind them it is to be run again, and the database is as if it had not been.
    const purged = await forgetPast(connection);
    const { sessions, running } = await beginAnew(config.DATABASE_URL);
    logger.warn({ sessions, running, purged }, 'the restored database begins anew');
  } finally {
    await connection.close();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(
    `restored: ${withoutPassword(error instanceof Error ? error.message : String(error))}\n`,
  );
  process.exitCode = 1;
});
