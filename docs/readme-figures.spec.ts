import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
const ROW = /^\|[^|]+\| ([\d.]+) [^|]*\| `([a-z]+)\.([^`]+)` +\|$/gm;

interface Report {
  readonly figures: Readonly<Record<string, number>>;
}

function reportOf(suite: string): Report {
  // Written by the bench itself.
  return JSON.parse(readFileSync(path.join(root, 'docs', 'figures', `${suite}.json`), 'utf8')) as Report;
}

describe('the figures of the README', () => {
  const rows = [...readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(ROW)];

  it('are found', () => {
    expect(rows.length).toBeGreaterThanOrEqual(9);
  });

  it.each(rows.map(([, shown, suite, figure]) => ({ shown, suite, figure })))(
    'shows $figure of $suite as it was measured',
    ({ shown, suite = '', figure = '' }) => {
      const measured = reportOf(suite).figures[figure] ?? NaN;
      expect(Number(shown)).toBe(Math.round(measured * 100) / 100);
    },
  );
});
