// What a change costs: `npm run bench:compare -- COMMIT [--rounds N] [--json FILE]` measures a commit and the working tree
// in turns on the same machine, so that what else the machine does falls on both. Shows the median of the rounds.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const SCENARIOS = ['turn', 'tools'];

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, json: { type: 'string' } },
});
const [commit] = positionals;
if (commit === undefined || !/^[1-9]\d*$/.test(values.rounds)) {
  console.error('usage: npm run bench:compare -- COMMIT [--rounds N] [--json FILE]');
  process.exit(2);
}

const here = path.resolve(import.meta.dirname, '..');
const scratch = mkdtempSync(path.join(tmpdir(), 'skein-compare-'));
const base = path.join(scratch, 'base');
const run = (cwd, command, ...args) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });

try {
  run(here, 'git', 'worktree', 'add', '--detach', base, commit);
  run(base, 'npm', 'ci', '--no-audit', '--no-fund');
  for (const tree of [base, here]) run(tree, 'npm', 'run', 'build', '--silent');
  const reports = measureInTurns(Number(values.rounds));
  const [{ machine }] = reports;
  const before = shortHash(base);
  const result = {
    suite: 'bench compare',
    startedAt: new Date().toISOString(),
    machine,
    before,
    after: shortHash(here),
    rounds: Number(values.rounds),
    figures: mediansOf(reports),
  };
  console.log(`${before} (before) and ${result.after} (after), medians of ${values.rounds} rounds`);
  console.table(result.figures);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  rmSync(base, { recursive: true, force: true });
  run(here, 'git', 'worktree', 'prune');
  rmSync(scratch, { recursive: true, force: true });
}

function measureInTurns(rounds) {
  const reports = [];
  for (let round = 0; round < rounds; round++) {
    // Who begins changes: the second finds a warmer disk.
    const trees = round % 2 === 0 ? [base, here] : [here, base];
    for (const scenario of SCENARIOS) {
      for (const tree of trees) {
        const file = path.join(scratch, 'report.json');
        run(tree, process.execPath, path.join('dist', 'bench', 'main.js'), scenario, '--json', file);
        const report = JSON.parse(readFileSync(file, 'utf8'));
        const which = tree === here ? 'after' : 'before';
        reports.push({ which, scenario, ...report });
        console.log(`round ${round + 1}, ${which}, ${scenario}: ${JSON.stringify(report.figures)}`);
      }
    }
  }
  return reports;
}

/** The median of each figure by `scenario.figure before` and `scenario.figure after`. */
function mediansOf(reports) {
  const samples = new Map();
  for (const { which, scenario, figures } of reports) {
    for (const [figure, value] of Object.entries(figures)) {
      const name = `${scenario}.${figure} ${which}`;
      samples.set(name, [...(samples.get(name) ?? []), value]);
    }
  }
  return Object.fromEntries([...samples].map(([name, numbers]) => [name, median(numbers)]));
}

function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function shortHash(tree) {
  return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: tree, encoding: 'utf8' }).trim();
}
