import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WAIVED } from '../test/object-store/s3-makes';

const page = readFileSync(path.join(__dirname, 'how-to', 'artifacts-in-s3.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));

/** The last cell of a make's row. */
function waivedOf(make: string): string {
  const row = rows.find((line) => line.startsWith(`| ${make} `));
  return row?.split('|').at(-2)?.trim() ?? '(missing)';
}

describe('the page of artifacts in S3', () => {
  it.each(Object.entries(WAIVED))('names what is waived of %s, and why', (make, waived) => {
    const told = Object.entries(waived).map(([title, reason]) => `${title}: ${reason}`);

    expect(waivedOf(make)).toBe(told.join('; '));
  });
});
