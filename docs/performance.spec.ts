import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');

describe('the page of performance', () => {
  it('is what its script writes of the reports in docs/figures', () => {
    const script = path.join('bench', 'write-performance.mjs');
    const written = execFileSync(process.execPath, [script, '--print'], { cwd: root, encoding: 'utf8' });

    const page = readFileSync(path.join(root, 'docs', 'performance.md'), 'utf8');

    expect(page).toBe(written);
  });
});
