import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** The version in Skein's own package.json, which lies some folders up, more of them from `dist` than from the source. */
export function skeinVersion(folder = __dirname): string {
  const file = join(folder, 'package.json');
  if (existsSync(file))
    return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version;
  const parent = dirname(folder);
  return parent === folder ? 'unknown' : skeinVersion(parent);
}
