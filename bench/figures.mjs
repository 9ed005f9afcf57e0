// Measures anew what docs/figures holds, and writes the pages that show it: `npm run figures -- [scenario…] [--minutes N]`,
// all scenarios when none is named. Each says how long it took; `soak` goes on for so many minutes, 120 by default.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

/** The soak last: whoever stops it has the others. */
const SCENARIOS = [
  ...['turn', 'cpu', 'tools', 'append', 'history', 'sessions', 'stream', 'waking', 'scale', 'start'],
  ...['artifacts', 'soak'],
];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '120' } },
});
const unknown = positionals.filter((name) => !SCENARIOS.includes(name));
if (unknown.length > 0) {
  console.error(`no scenario is named ${unknown.join(', ')}; there are ${SCENARIOS.join(', ')}`);
  process.exit(2);
}

const root = path.resolve(import.meta.dirname, '..');
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
mkdirSync(path.join(root, 'docs', 'figures'), { recursive: true });
for (const name of positionals.length > 0 ? positionals : SCENARIOS) {
  if (name === 'artifacts' && !process.env.S3_ENDPOINT) {
    console.log('artifacts: left out, it needs S3_ENDPOINT and its keys');
    continue;
  }
  const begunAtMs = Date.now();
  const options = name === 'turn' ? ['--peers'] : name === 'soak' ? ['--minutes', values.minutes] : [];
  const file = path.join('docs', 'figures', `${name}.json`);
  run(path.join('dist', 'bench', 'main.js'), name, ...options, '--json', file);
  console.log(`${name}: ${Math.round((Date.now() - begunAtMs) / 1_000)} s`);
}
run(path.join('bench', 'fill-readme.mjs'));
run(path.join('bench', 'write-performance.mjs'));
run(path.join('node_modules', 'prettier', 'bin', 'prettier.cjs'), '--write', 'README.md');
