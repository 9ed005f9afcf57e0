#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isBuildStale, markBuilt } from './build-freshness.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

const usage = `Usage: skein <command>

  start [--fresh]      run the whole stack here; --fresh wipes DATA_DIR first
  chat <app> [...]     talk to an app of the running stack; chat --help tells more
  invocations <...>    list, show or cancel runs; invocations --help tells more
  dead-letters <...>   list, show, redrive or discard calls that came to nothing; dead-letters --help
  migrate [up|down]    bring the schema of DATABASE_URL up to date, or one step back
  import --from <db>   copy sessions of adk-python or adk-js; import --help tells more
  restored             after a restore of DATABASE_URL, before anything runs again
  build                compile what changed
`;

const programs = {
  start: 'dist/tools/stack/src/main.js',
  chat: 'dist/tools/chat/src/main.js',
  invocations: 'dist/tools/invocations/src/main.js',
  'dead-letters': 'dist/tools/dead-letters/src/main.js',
  migrate: 'dist/apps/session-svc/src/migrate.js',
  import: 'dist/apps/session-svc/src/import.js',
  restored: 'dist/apps/session-svc/src/restored.js',
};

const [command, ...args] = process.argv.slice(2);

if (command === '--help' || command === '-h' || command === 'help') {
  process.stdout.write(usage);
} else if (command === 'build') {
  process.exitCode = await build();
} else if (Object.hasOwn(programs, command ?? '')) {
  await run(path.join(root, programs[command]), command === 'migrate' && args.length === 0 ? ['up'] : args);
} else {
  process.stderr.write(command === undefined ? usage : `skein: there is no command "${command}"\n\n${usage}`);
  process.exitCode = 2;
}

/**
 * Runs the program in this very process, so that signals, exit code and terminal are its own and nothing has
 * to be handed on.
 */
async function run(program, args) {
  if (!existsSync(program) || isBuildStale(root)) {
    const code = await build();
    if (code !== 0) process.exit(code);
  }
  process.argv = [process.execPath, program, ...args];
  await import(pathToFileURL(program).href);
}

/** The repository's one build, as `npm run build`; it is done with its memory before the program starts. */
async function build() {
  const startedAtMs = Date.now();
  process.stderr.write('skein: building ...\n');
  const nest = path.join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  const code = await finished([nest, 'build', 'gateway']);
  if (code !== 0) return code;
  const bundled = await finished([path.join(root, 'tools', 'bundle', 'bundle.mjs')]);
  if (bundled === 130) return bundled;
  // The bundler's program is an optional package. What the compiler left runs without it.
  if (bundled !== 0) process.stderr.write('skein: the programs are not bundled, and start more slowly\n');
  markBuilt(root, startedAtMs);
  return code;
}

/** Runs a program of Node's with our signals, its output on stderr; answers its exit code. */
async function finished(program) {
  const child = spawn(process.execPath, program, { cwd: root, stdio: ['ignore', 2, 2] });
  const end = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (status, signal) => resolve(signal === null ? status : 130));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, end);
  return code;
}
