import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { brokenBuilds, type BrokenBuild } from './broken-builds';
import { buildBroken } from './build-broken';

const ROOT = path.resolve(__dirname, '../../..');

void main(process.argv.slice(2));

/** `npm run chaos:broken [-- NAME…]`: `chaos:quick` has to fail with each of them, and to say what broke. */
async function main(names: readonly string[]): Promise<void> {
  const chosen = brokenBuilds.filter(({ name }) => names.length === 0 || names.includes(name));
  let unnoticed = 0;
  for (const build of chosen) {
    const said = await quickWith(build);
    const line = said.split('\n').find((one) => build.found.test(one));
    console.log(`${build.name}: ${line ?? `NOT NOTICED; it said:\n${said.slice(-3_000)}`}`);
    if (line === undefined) unnoticed += 1;
  }
  console.log(`${chosen.length - unnoticed} of ${chosen.length} broken builds were noticed`);
  process.exitCode = unnoticed === 0 && chosen.length > 0 ? 0 : 1;
}

/** What `chaos:quick` says of a build. */
async function quickWith(build: BrokenBuild): Promise<string> {
  const folder = buildBroken(ROOT, build);
  try {
    const args = ['run', '--silent', 'chaos:quick-of', '--', '--build', folder];
    const child = spawn('npm', args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await new Promise((resolve) => child.once('close', resolve));
    return said;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
