import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtEntries } from './app-entries';

describe('the programs of a stack', () => {
  let root: string;
  const compiled = path.join('dist', 'apps', 'gateway', 'src', 'main.js');
  const bundled = path.join('dist', 'bundled', 'apps', 'gateway', 'src', 'main.js');

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'skein-entries-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('are the bundles', () => {
    write(path.join('dist', '.tsbuildinfo'), 1);
    write(bundled, 2);
    expect(builtEntries(root).gateway).toBe(path.join(root, bundled));
  });

  it('are what the compiler left, where it ran again since, or nothing was bundled', () => {
    expect(builtEntries(root).gateway).toBe(path.join(root, compiled));
    write(bundled, 1);
    write(path.join('dist', '.tsbuildinfo'), 2);
    expect(builtEntries(root).gateway).toBe(path.join(root, compiled));
  });

  function write(file: string, atSeconds: number): void {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), '');
    utimesSync(path.join(root, file), atSeconds, atSeconds);
  }
});
