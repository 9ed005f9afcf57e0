import { readFileSync } from 'node:fs';
import { currentPage, PAGE_FILE } from './page-file';

describe('docs/reference/differences-from-google-adk.md', () => {
  it('is current; else npm run google-adk-differences', () => {
    expect(readFileSync(PAGE_FILE, 'utf8')).toBe(currentPage());
  });
});
