import { existsSync } from 'node:fs';
import path from 'node:path';

/** The folder of the root package.json, alike from tools/ (tests) and from dist/tools/ (built). */
export function repositoryRoot(from: string = __dirname): string {
  if (existsSync(path.join(from, 'package.json'))) return from;
  const parent = path.dirname(from);
  if (parent === from) throw new Error(`No package.json above ${__dirname}: the installation is incomplete`);
  return repositoryRoot(parent);
}
