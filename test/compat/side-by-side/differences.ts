import { isDeepStrictEqual } from 'node:util';
import { align } from './align';
import { isRecord } from './json';
import { lineOf } from './line-of';

/** A place in which two played cases differ; a side that has nothing there is absent. */
export interface Difference {
  /** As `turns[0].events[1].actions.escalate`. */
  readonly at: string;
  readonly theirs?: unknown;
  readonly ours?: unknown;
}

/** Where two values differ, innermost. What one list has and the other has not is told by its line. */
export function differences(theirs: unknown, ours: unknown, at = ''): Difference[] {
  if (isDeepStrictEqual(theirs, ours)) return [];
  if (Array.isArray(theirs) && Array.isArray(ours)) return ofLists(theirs, ours, at);
  if (isRecord(theirs) && isRecord(ours)) return ofRecords(theirs, ours, at);
  return [{ at, ...side('theirs', theirs), ...side('ours', ours) }];
}

function ofLists(theirs: readonly unknown[], ours: readonly unknown[], at: string): Difference[] {
  return align(theirs, ours, lineOf).flatMap((pair, index) => {
    const place = `${at}[${index}]`;
    if ('theirs' in pair && 'ours' in pair) return differences(pair.theirs, pair.ours, place);
    return 'theirs' in pair
      ? [{ at: place, theirs: lineOf(pair.theirs) }]
      : [{ at: place, ours: lineOf(pair.ours) }];
  });
}

function ofRecords(
  theirs: Readonly<Record<string, unknown>>,
  ours: Readonly<Record<string, unknown>>,
  at: string,
): Difference[] {
  const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  return keys.flatMap((key) => differences(theirs[key], ours[key], at === '' ? key : `${at}.${key}`));
}

function side(name: 'theirs' | 'ours', value: unknown): Partial<Difference> {
  return value === undefined ? {} : { [name]: value };
}
