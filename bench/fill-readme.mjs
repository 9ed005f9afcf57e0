// Writes the measured figures of docs/figures into the README's table: `node bench/fill-readme.mjs`.
import { readFileSync, writeFileSync } from 'node:fs';

const readme = new URL('../README.md', import.meta.url);
const ROW = /^(\|[^|]+\| )[\d.]+( [^|]*\| `([a-z]+)\.([^`]+)` +\|)$/gm;

const filled = readFileSync(readme, 'utf8').replace(ROW, (_row, before, after, suite, figure) => {
  const report = JSON.parse(readFileSync(new URL(`../docs/figures/${suite}.json`, import.meta.url), 'utf8'));
  return before + Math.round(report.figures[figure] * 100) / 100 + after;
});
writeFileSync(readme, filled);
