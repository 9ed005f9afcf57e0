import { z } from 'zod';

/** Any value JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object: the shape of tool arguments, tool results and state. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Deeper values are refused: they would overflow a stack, here or in Postgres. */
export const MAX_JSON_DEPTH = 64;
/** A value of more pieces keeps the event loop, and everybody else on it, waiting for seconds. */
export const MAX_JSON_VALUES = 250_000;

/** A JSON object from outside; its values are trusted to be JSON because they were parsed from it. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
