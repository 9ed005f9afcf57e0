// Writes docs/performance.md from the reports in docs/figures: `node bench/write-performance.mjs`; with --print it only shows
// the page. What has not been measured yet, the page says so.
import { readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { readReports } from './performance/reports.mjs';
import { barsSection } from './performance/bars.mjs';
import { introduction, loadSections } from './performance/loads.mjs';
import { processorSections } from './performance/processor.mjs';
import { turnSection } from './performance/turn.mjs';

const root = new URL('../', import.meta.url);
const reports = readReports(new URL('docs/figures/', root));
const sections = [introduction, barsSection, turnSection, processorSections, loadSections];
const prettierOptions = JSON.parse(readFileSync(new URL('.prettierrc.json', root), 'utf8'));
const page = await format(sections.map((section) => section(reports)).join('\n\n'), {
  ...prettierOptions,
  parser: 'markdown',
});
if (process.argv.includes('--print')) process.stdout.write(page);
else writeFileSync(new URL('docs/performance.md', root), page);
