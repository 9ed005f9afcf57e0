import { existsSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { postgresAccount } from './postgres-account';
import { postgresDirectory, removePostgresDirectory } from './postgres-directory';

describe('postgresDirectory', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'skein-postgres-directory-test-'));
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is DATA_DIR/postgres where the account gets to', () => {
    expect(postgresDirectory(folder, postgresAccount())).toBe(path.join(folder, 'postgres'));
  });

  // PostgreSQL does not run as root: then it runs under an account that a closed folder keeps out.
  if (process.getuid?.() === 0) {
    it('is a folder elsewhere, which DATA_DIR/postgres points to', () => {
      const dataDir = path.join(folder, 'closed', 'data');

      const directory = postgresDirectory(dataDir, postgresAccount());

      expect(readlinkSync(path.join(dataDir, 'postgres'))).toBe(directory);
      expect(postgresDirectory(dataDir, postgresAccount())).toBe(directory);
      removePostgresDirectory(dataDir);
      expect(existsSync(`${directory}.owner`)).toBe(false);
    });

    it('is removed by a later start once its temporary DATA_DIR is gone', () => {
      const abandoned = postgresDirectory(path.join(folder, 'first'), postgresAccount());
      mkdirSync(abandoned);
      rmSync(path.join(folder, 'first'), { recursive: true });

      postgresDirectory(path.join(folder, 'second'), postgresAccount());

      expect(lstatSync(abandoned, { throwIfNoEntry: false })).toBeUndefined();
      removePostgresDirectory(path.join(folder, 'second'));
    });
  } else {
    it('is DATA_DIR/postgres also under a folder that is closed to others', () => {
      const dataDir = path.join(folder, 'closed', 'data');
      mkdirSync(path.dirname(dataDir), { mode: 0o700 });

      expect(postgresDirectory(dataDir, postgresAccount())).toBe(path.join(dataDir, 'postgres'));
    });
  }
});
