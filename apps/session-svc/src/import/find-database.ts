import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '@skein/platform';
import { z } from 'zod';
import { importConfig } from '../config';
import { UsageError } from './arguments';

/** DATABASE_URL, or the database of the stack that runs on DATA_DIR. */
export function findDatabase(): string {
  const { DATABASE_URL: named, DATA_DIR: dataDir } = loadConfig(importConfig);
  if (named !== undefined) return named;
  const file = path.resolve(dataDir, 'stack.json');
  try {
    return z.object({ databaseUrl: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).databaseUrl;
  } catch (cause) {
    throw new UsageError(
      `There is no database to import into: set DATABASE_URL, or start a stack (there is none in ${file}).`,
      { cause },
    );
  }
}
