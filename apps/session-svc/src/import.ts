import { AdkError } from '@skein/contracts';
import { createLogger, loadConfig, retryAtStart, withoutPassword } from '@skein/platform';
import { openSource } from '@skein/session-sources';
import { openStore, type Store } from '@skein/session-store';
import { importSourceConfig } from './config';
import { parseImportArguments, usage, UsageError, type ImportArguments } from './import/arguments';
import { assertApps } from './import/assert-apps';
import { findDatabase } from './import/find-database';
import { ImportReport } from './import/import-report';
import { databaseTarget, dryTarget } from './import/import-target';
import { describeError } from './import/row-problem';
import { runImport } from './import/run-import';

/** `node import.js --from …`: sessions of adk-python and adk-js; answers the exit code. */
async function main(): Promise<number> {
  const asked = parseImportArguments(process.argv.slice(2), loadConfig(importSourceConfig).IMPORT_FROM);
  if (asked === undefined) {
    process.stdout.write(usage);
    return 0;
  }
  const store = asked.isDryRun ? undefined : await openDatabase(findDatabase());
  try {
    return await importInto(store ? databaseTarget(store.pool) : dryTarget, asked);
  } finally {
    await store?.close();
  }
}

/** Once: who types a command reads at once what is wrong. */
async function openDatabase(databaseUrl: string): Promise<Store> {
  return retryAtStart({
    what: "Skein's database",
    where: databaseUrl,
    logger: createLogger({ service: 'import', level: 'info', format: 'pretty' }),
    attempts: 1,
    attempt: () => openStore({ databaseUrl, applicationName: 'skein-import', poolSize: 2 }),
  });
}

async function importInto(
  target: ReturnType<typeof databaseTarget>,
  { from, apps, as, repairs, isDryRun }: ImportArguments,
): Promise<number> {
  const source = await openSource(from, apps);
  try {
    await assertApps(source, apps);
    const report = new ImportReport((line) => process.stdout.write(`${line}\n`));
    report.note(`${isDryRun ? 'Checking' : 'Importing'} ${source.name}`);
    await runImport({ source, target, report, apps, as, repairs });
    report.note(
      report.hasProblems
        ? 'Not everything was imported.'
        : isDryRun
          ? 'All of it can be imported.'
          : 'All of it is in Skein.',
    );
    return report.hasProblems ? 1 : 0;
  } finally {
    await source.close();
  }
}

/** Two databases are at work: says which of them it is about. */
function describeEnd(error: unknown): string {
  const isOfStore = AdkError.isInstance(error) && error.code.startsWith('store.');
  return withoutPassword(`${isOfStore ? "Skein's database: " : ''}${describeError(error)}`);
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const message = describeEnd(error);
    process.stderr.write(error instanceof UsageError ? `${message}\n\n${usage}` : `import: ${message}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
