import { z } from 'zod';

/** Any value JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object: the shape of tool arguments, tool results and state. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Deeper values are refused: they would overflow a stack, here or in Postgres. */
export const MAX_JSON_DEPTH = 64;
/** With what messages, and answers of providers, put around the values that are stored. */
export const MAX_WIRE_DEPTH = MAX_JSON_DEPTH + 16;
/** A result lies some levels down in the event that carries it, so it may be less deep than the event. */
export const MAX_RESULT_DEPTH = 56;
/** A value of more pieces keeps the event loop, and everybody else on it, waiting for seconds. */
export const MAX_JSON_VALUES = 250_000;

/** A JSON object from outside; its values are trusted to be JSON because they were parsed from it. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());

/** Which bound of what a tool gives a value breaks, if any. It is walked no further than that, so none overflows the stack. */
export function brokenBound(value: unknown): 'too-deep' | 'too-many' | undefined {
  let valuesLeft = MAX_JSON_VALUES;
  const walk = (item: unknown, levelsLeft: number): 'too-deep' | 'too-many' | undefined => {
    if (typeof item !== 'object' || item === null) return undefined;
    if (levelsLeft === 0) return 'too-deep';
    const items: unknown[] = Object.values(item);
    valuesLeft -= items.length;
    if (valuesLeft < 0) return 'too-many';
    for (const inner of items) {
      const broken = walk(inner, levelsLeft - 1);
      if (broken) return broken;
    }
    return undefined;
  };
  return walk(value, MAX_RESULT_DEPTH);
}
