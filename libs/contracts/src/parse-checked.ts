import { z } from 'zod';
import { ruleCheck } from './rule-check';

/** Whether a value is what its schema would make of it: it fits, and nothing is to be added, left out or changed. */
type Check = (value: unknown) => boolean;

/**
 * As `schema.safeParse`, of a value that JSON was parsed to. What a schema would only copy is looked at instead, and answered
 * itself: our own messages are, and there the copy costs more than the look. All else is the schema's to read, or to refuse.
 */
export function parseChecked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  // The check has just said that it is one.
  if (checkOf(schema)(value)) return { success: true, data: value as z.output<Schema> };
  return schema.safeParse(value);
}

const checks = new WeakMap<z.core.$ZodType, Check>();

function checkOf(schema: z.core.$ZodType): Check {
  const known = checks.get(schema);
  if (known) return known;
  const check = makeCheck(schema);
  checks.set(schema, check);
  return check;
}

/** Made of the schema's own definition, so there is one truth. A kind not named here, or one with rules of its own, asks the schema. */
function makeCheck(schema: z.core.$ZodType): Check {
  if (hasRules(schema)) return ruleCheck(schema) ?? sameBy(schema);
  if (schema instanceof z.ZodObject) return objectCheck(schema);
  if (schema instanceof z.ZodRecord) return recordCheck(schema);
  if (schema instanceof z.ZodArray) return arrayCheck(checkOf(schema.def.element));
  if (schema instanceof z.ZodDiscriminatedUnion) return anyOf(schema.def.options.map(checkOf));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return checkOf(schema.def.innerType);
  if (schema instanceof z.ZodEnum) return isOneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return isOneOf(schema.def.values);
  if (schema instanceof z.ZodUnknown) return () => true;
  if (schema instanceof z.ZodBoolean && !schema.def.coerce) return (value) => typeof value === 'boolean';
  if (isPlainString(schema)) return (value) => typeof value === 'string';
  if (schema instanceof z.ZodNumber && !schema.def.coerce) return (value) => Number.isFinite(value);
  return sameBy(schema);
}

/** Some are rules themselves, as `z.int()` is. */
function hasRules({ _zod: { def } }: z.core.$ZodType): boolean {
  return 'check' in def || (def.checks?.length ?? 0) > 0;
}

/** Of objects and lists every schema makes others, so only single values can come back the same. */
function sameBy(schema: z.core.$ZodType): Check {
  return (value) => {
    if (typeof value === 'object' && value !== null) return false;
    const read = schema._zod.run({ value, issues: [] }, { async: false });
    return !(read instanceof Promise) && read.issues.length === 0 && Object.is(read.value, value);
  };
}

function objectCheck({ def }: z.ZodObject): Check {
  const isLoose = def.catchall instanceof z.ZodUnknown;
  if (def.catchall !== undefined && !isLoose) return () => false;
  const fields = new Map(
    Object.entries<z.core.$ZodType>(def.shape).map(([name, schema]) => [name, fieldOf(schema)]),
  );
  const required = [...fields.values()].filter((field) => field.isRequired).length;
  return (value) => {
    if (!isJsonObject(value)) return false;
    let missing = required;
    for (const name in value) {
      const field = fields.get(name);
      if (field === undefined) {
        if (!isLoose || name === '__proto__') return false;
      } else {
        if (!field.check(value[name])) return false;
        if (field.isRequired) missing--;
      }
    }
    return missing === 0;
  };
}

/** A default is to be added where it is not there, so it counts as required. */
function fieldOf(schema: z.core.$ZodType): { readonly check: Check; readonly isRequired: boolean } {
  const { optin, optout } = schema._zod;
  return { check: checkOf(schema), isRequired: optin !== 'optional' || optout !== 'optional' };
}

function recordCheck({ def }: z.ZodRecord): Check {
  if (!isPlainString(def.keyType)) return () => false;
  const check = checkOf(def.valueType);
  return (value) => {
    if (!isJsonObject(value)) return false;
    for (const name in value) if (name === '__proto__' || !check(value[name])) return false;
    return true;
  };
}

function arrayCheck(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!check(item)) return false;
    return true;
  };
}

/** Which of them it is, their literals say: it can be no other's. */
function anyOf(options: readonly Check[]): Check {
  return (value) => options.some((check) => check(value));
}

function isOneOf(values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

function isPlainString(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodString && !schema.def.coerce && !hasRules(schema);
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
