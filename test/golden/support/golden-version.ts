import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(__dirname, '..');
const CHECKSUMS = path.join(ROOT, 'checksums.json');

/** The versions whose messages and rows are kept: each folder that is called as one. */
export function goldenVersions(): string[] {
  return readdirSync(ROOT)
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .sort();
}

export function goldenFolder(version: string): string {
  return path.join(ROOT, version);
}

/** Each kept file's path below this folder, with the SHA-256 of what it holds. */
export function actualChecksums(): Readonly<Record<string, string>> {
  const files = goldenVersions().flatMap((version) =>
    readdirSync(goldenFolder(version), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
  );
  return Object.fromEntries(
    files.sort().map((file) => [
      file.split(path.sep).join('/'),
      createHash('sha256')
        .update(readFileSync(path.join(ROOT, file)))
        .digest('hex'),
    ]),
  );
}

export function notedChecksums(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(CHECKSUMS, 'utf8')) as Record<string, string>; // Written below.
}

export function noteChecksums(): void {
  writeFileSync(CHECKSUMS, `${JSON.stringify(actualChecksums(), null, 2)}\n`);
}

/** Written by `writeGolden`: the reader says what. */
export function readGolden(version: string, ...file: string[]): unknown {
  return JSON.parse(readFileSync(path.join(goldenFolder(version), ...file), 'utf8'));
}

export function writeGolden(value: unknown, version: string, ...file: string[]): void {
  writeFileSync(path.join(goldenFolder(version), ...file), `${JSON.stringify(value, null, 2)}\n`);
}
