import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findAwaits, parseSource, pointNames } from './find-points';
import { reachableFiles } from './reachable-files';

export interface SourcePoints {
  /** Path from the root. */
  readonly file: string;
  readonly awaits: number;
  /** Full names: `libs/engine/src/flow/llm-flow.ts:57:before`. */
  readonly points: readonly string[];
}

/** Every file the killed apps run, with its points. */
export function pointsOfSources(root: string): readonly SourcePoints[] {
  return reachableFiles(root).map((file) => {
    const awaits = findAwaits(parseSource(file, readFileSync(path.join(root, file), 'utf8')));
    return { file, awaits: awaits.length, points: pointNames(awaits).map((name) => `${file}:${name}`) };
  });
}

/** Awaits and points of each part, `libs/engine`, and of all. */
export function countPerPart(sources: readonly SourcePoints[]): string {
  const parts = new Map<string, { awaits: number; points: number }>();
  for (const { file, awaits, points } of sources) {
    const part = file.split('/').slice(0, 2).join('/');
    for (const name of [part, 'total']) {
      const counted = parts.get(name) ?? { awaits: 0, points: 0 };
      parts.set(name, { awaits: counted.awaits + awaits, points: counted.points + points.length });
    }
  }
  const { total = { awaits: 0, points: 0 }, ...rest } = Object.fromEntries(parts);
  const lines = [...Object.entries(rest).sort(), ['total', total] as const];
  return lines
    .map(
      ([name, { awaits, points }]) =>
        `${name.padEnd(24)} ${String(awaits).padStart(5)} awaits ${String(points).padStart(5)} points`,
    )
    .join('\n');
}
