import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** One file for one run of the suite, whose workers are children of the process that began it. */
const FILE = 'SKEIN_CONTAINER_REPORT';

/** Called once, before the first worker starts. */
export function beginReport(image: string): void {
  const file = path.join(tmpdir(), `skein-containers-${process.pid}.txt`);
  process.env[FILE] = file;
  writeFileSync(file, `image      ${image}\n`);
}

/** A line of what was started, or of what was done to it. */
export function report(kind: 'container' | 'fault' | 'figure', what: string): void {
  const file = process.env[FILE];
  if (file) appendFileSync(file, `${kind.padEnd(10)} ${what}\n`);
}

/** Everything that was reported; the same line once, with how often. */
export function readReport(): string {
  const file = process.env[FILE];
  if (!file || !existsSync(file)) return '';
  const counts = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n'))
    counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts]
    .map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`))
    .sort()
    .join('\n');
}
