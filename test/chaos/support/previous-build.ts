import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { type AppEntries } from '@skein/stack';
import previous from './previous.json';

const ROOT = path.join(__dirname, '..', '..', '..');

/**
 * The programs of the version before this one: of the folder in SKEIN_PREVIOUS, a checkout with its `dist`, or built once
 * from the commit in previous.json. Throws where neither is to be had: a test without it would prove nothing.
 */
export function previousEntries(folder = process.env.SKEIN_PREVIOUS): AppEntries {
  const root = folder ?? builtOnce(previous.commit);
  const main = (app: string, file = 'main'): string => {
    const entry = path.join(root, 'dist', 'apps', app, 'src', `${file}.js`);
    if (!existsSync(entry)) throw new Error(`no build of the version before: ${entry} is missing`);
    return entry;
  };
  return {
    migrate: main('session-svc', 'migrate'),
    'session-svc': main('session-svc'),
    runner: main('runner'),
    'tool-worker': main('tool-worker'),
    gateway: main('gateway'),
  };
}

/** With the dependencies installed here: which of them a version was tested with is not what is asked. */
function builtOnce(commit: string): string {
  const built = path.join(ROOT, '.skein', 'previous', commit);
  if (existsSync(built)) return built;
  fetchCommit(commit);
  const unfinished = `${built}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 256 * 1024 * 1024 });
    execFileSync('tar', ['-x', '-C', unfinished], { input: archive });
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(unfinished, 'node_modules'));
    const nest = path.join(ROOT, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
    run(process.execPath, [nest, 'build', 'gateway'], unfinished);
    renameSync(unfinished, built);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return built;
}

/** A shallow clone has not all commits. */
function fetchCommit(commit: string): void {
  try {
    run('git', ['cat-file', '-e', `${commit}^{commit}`], ROOT);
  } catch {
    run('git', ['fetch', '--depth', '1', 'origin', commit], ROOT);
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  execFileSync(command, args, { cwd, stdio: 'pipe' });
}
