import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Comparison } from './compare-packages';

export const ROOT = path.join(__dirname, '../../..');

/** What the compiler found the last time, so that the page can be made and checked where npm's package is not. */
const FILE = path.join(ROOT, 'tools/google-adk/google-adk-2.0.0.json');

export function readComparison(): Comparison {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Comparison;
}

/** One line for each export and each difference, so that a change shows what changed. */
export function writeComparison({ exports, differences }: Comparison): void {
  const lines = (items: readonly unknown[]): string =>
    items.map((item) => `\n    ${JSON.stringify(item)}`).join(',');
  writeFileSync(
    FILE,
    `{\n  "exports": [${lines(exports)}\n  ],\n  "differences": [${lines(differences)}\n  ]\n}\n`,
  );
}
