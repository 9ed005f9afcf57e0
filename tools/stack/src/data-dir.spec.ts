import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { prepareDataDir, readOrCreateSecret, wipeDataDir } from './data-dir';

describe('DATA_DIR', () => {
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(path.join(os.tmpdir(), 'skein-data-dir-test-'));
  });

  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it.each(['postgres', 'nats', 'objects', 'payloads', 'secret'])(
    'is refused when it holds %s that we did not make',
    (name) => {
      mkdirSync(path.join(dataDir, name));

      expect(() => prepareDataDir(dataDir)).toThrow(`holds ${name} not made by Skein`);
    },
  );

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
    for (const name of ['nats', 'objects', 'payloads', 'reads'])
      writeFileSync(path.join(dataDir, name, 'one'), '');
    writeFileSync(path.join(dataDir, 'notes.txt'), 'mine');
    const secret = readOrCreateSecret(dataDir);

    wipeDataDir(dataDir);

    expect(readdirSync(dataDir).sort()).toEqual([
      '.skein-data-dir',
      'nats',
      'notes.txt',
      'objects',
      'payloads',
      'reads',
    ]);
    expect(
      ['nats', 'objects', 'payloads', 'reads'].flatMap((name) => readdirSync(path.join(dataDir, name))),
    ).toEqual([]);
    expect(readOrCreateSecret(dataDir)).not.toBe(secret);
  });
});
