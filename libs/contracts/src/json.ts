import { z } from 'zod';

/** Any value JSON can carry. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** A JSON object: the shape of tool arguments, tool results and state. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON object from outside; its values are trusted to be JSON because they were parsed from it. */
export const jsonObjectSchema = z.record(z.string(), z.unknown());
