import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
const page = readFileSync(path.join(__dirname, 'reference', 'reliability.md'), 'utf8');

/** The rows the chaos suite answers for; the others say for what they wait. */
const ANSWERED = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25],
  ...[27, 28, 29, 30, 31, 32, 34, 37, 38, 39, 40, 41, 42, 43, 45, 46, 47, 48],
];
const ROWS = 48;
/** Rows that need no fault in a fleet: tests of theirs are in test/integration. */
const ELSEWHERE = [33, 35, 36, 44];

/** The table's last cell of a row. */
function cellOf(row: number): string {
  const line = page.split('\n').find((one) => new RegExp(`^\\| ${row} +\\|`).test(one));
  return line?.split('|').at(-2)?.trim() ?? '(missing)';
}

/** The chaos specs with a test of this row. */
function specsOf(row: number): string[] {
  const folder = path.join(root, 'test', 'chaos');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.spec.ts'))
    .filter((file) =>
      new RegExp(`row\\(\\s*['"]row ${row}: `).test(readFileSync(path.join(folder, file), 'utf8')),
    )
    .map((file) => `\`${file}\``)
    .sort();
}

describe('the page of the reliability bar', () => {
  it('has every row', () => {
    const rows = Array.from({ length: ROWS }, (_, index) => index + 1);

    expect(rows.filter((row) => cellOf(row) === '(missing)')).toEqual([]);
  });

  it.each(ANSWERED)('names the tests of row %i', (row) => {
    const specs = specsOf(row);

    expect(specs).not.toEqual([]);
    expect(
      cellOf(row)
        .match(/`[^`]+`/g)
        ?.sort(),
    ).toEqual(specs);
  });

  it.each(ELSEWHERE)('names the tests of row %i, in test/integration too', (row) => {
    const named = [...cellOf(row).matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);

    expect(named).toEqual(expect.arrayContaining(specsOf(row).map((file) => file.replaceAll('`', ''))));
    expect(named).not.toEqual([]);
    const folders = ['integration', 'chaos'].map((folder) => path.join(root, 'test', folder));
    for (const file of named) {
      expect(folders.some((folder) => existsSync(path.join(folder, file)))).toBe(true);
    }
  });

  const others = Array.from({ length: ROWS }, (_, index) => index + 1).filter(
    (row) => !ANSWERED.includes(row) && !ELSEWHERE.includes(row),
  );

  it.each(others)('says what row %i waits for, which has no test', (row) => {
    expect(specsOf(row)).toEqual([]);
    expect(cellOf(row)).toMatch(/^later: \w/);
  });

  it('is told in the README with the number of rows without a test', () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

    expect(readme).toContain(`${others.length} of the ${ROWS} faults`);
  });
});
