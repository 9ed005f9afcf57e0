import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
const PATH = /`((?:apps|libs|tools|test|bench|docs|examples)\/[\w./-]+)`/g;

const named = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].flatMap((page) =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(PATH)].map(([, file = '']) => ({ page, file })),
);

describe('the files that the pages name', () => {
  it('are found in the pages', () => {
    expect(named.length).toBeGreaterThan(30);
  });

  it.each(named)('$page names $file, which is there', ({ file }) => {
    expect(existsSync(path.join(root, file))).toBe(true);
  });
});
