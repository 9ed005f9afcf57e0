import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepareDataDir, readOrCreateSecret, wipeDataDir } from './data-dir';

describe('DATA_DIR', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(path.join(os.tmpdir(), 'skein-data-dir-test-'));
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('is refused when it holds something by one of our names that we did not make', () => {
    mkdirSync(path.join(dataDir, 'artifacts'));

    expect(() => prepareDataDir(dataDir)).toThrow(/holds artifacts not made by Skein/);
  });

  it('keeps its secret for us alone, and over a restart', () => {
    prepareDataDir(dataDir);

    const secret = readOrCreateSecret(dataDir);

    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(readOrCreateSecret(dataDir)).toBe(secret);
    expect(statSync(path.join(dataDir, 'secret')).mode & 0o777).toBe(0o600);
  });

  it('loses our data, and only that, when it is wiped', () => {
    prepareDataDir(dataDir);
    mkdirSync(path.join(dataDir, 'postgres'));
    writeFileSync(path.join(dataDir, 'artifacts', 'one'), '');
    writeFileSync(path.join(dataDir, 'notes.txt'), 'mine');

    wipeDataDir(dataDir);

    expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
    expect(existsSync(path.join(dataDir, 'artifacts', 'one'))).toBe(false);
    expect(existsSync(path.join(dataDir, 'notes.txt'))).toBe(true);
  });
});
