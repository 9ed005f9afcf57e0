import { createLogger, loadConfig, retryAtStart, withoutPassword } from '@skein/platform';
import { mayPass, migrate, type MigrationDirection } from '@skein/session-store';
import { migrateConfig } from './config';

/** `node migrate.js up|down`: exits with 0 when the schema is where it was asked to be. */
async function main(direction: string): Promise<void> {
  if (!isDirection(direction)) throw new Error(`usage: migrate up|down (got ${JSON.stringify(direction)})`);
  const { DATABASE_URL } = loadConfig(migrateConfig);
  const logger = createLogger({ service: 'migrate', level: 'info', format: 'pretty' });
  const names = await retryAtStart({
    what: 'PostgreSQL',
    where: DATABASE_URL,
    logger,
    attempt: () => migrate(DATABASE_URL, direction),
    isRetryable: mayPass,
  });
  logger.info({ direction, migrations: names }, names.length === 0 ? 'nothing to migrate' : 'migrated');
}

function isDirection(text: string): text is MigrationDirection {
  return text === 'up' || text === 'down';
}

main(process.argv[2] ?? 'up').catch((error: unknown) => {
  process.stderr.write(
    `migrate: ${withoutPassword(error instanceof Error ? error.message : String(error))}\n`,
  );
  process.exitCode = 1;
});
