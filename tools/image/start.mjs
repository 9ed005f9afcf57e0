/**
 * What a container runs: `gateway`, `runner`, `tool-worker`, `session-svc`, `migrate [up|down]` or
 * `import --from …`. The program runs in this very process, the first of its container, so that the signal of `docker stop` is its own.
 */
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const apps = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', 'apps');
const programs = {
  gateway: 'gateway/src/main.js',
  runner: 'runner/src/main.js',
  'tool-worker': 'tool-worker/src/main.js',
  'session-svc': 'session-svc/src/main.js',
  migrate: 'session-svc/src/migrate.js',
  import: 'session-svc/src/import.js',
};

const [command, ...args] = process.argv.slice(2);

if (Object.hasOwn(programs, command ?? '')) {
  await run(path.join(apps, programs[command]));
} else {
  process.stderr.write(
    `There is no command "${command ?? ''}"; there are ${Object.keys(programs).join(', ')}\n`,
  );
  process.exitCode = 2;
}

/** A signal without a handler does nothing to the first process of a container. Services bring theirs; until then, these. */
async function run(program) {
  const end = (signal) => process.exit(128 + constants.signals[signal]);
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, end);
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
  if (command === 'migrate' || command === 'import') return;
  for (const signal of ['SIGTERM', 'SIGINT']) process.off(signal, end);
}
