import { z } from 'zod';

/** Whether a value keeps a rule. False also where only the schema knows. */
type Rule<Value> = (value: Value) => boolean;

/**
 * The rules of a text or a number as its schema has them: bounds, patterns, whole numbers and refinements. Every id and count
 * of a message passes here, and zod makes several objects to look at one. Nothing where it has others, which may also change
 * the value.
 */
export function ruleCheck(schema: z.core.$ZodType): Rule<unknown> | undefined {
  // Those of z.int() and z.email() are a rule themselves, beside those they list.
  if ('check' in schema._zod.def) return undefined;
  if (schema instanceof z.ZodString && !schema.def.coerce) {
    const keeps = allOf(schema.def.checks, textRule);
    return keeps && ((value) => typeof value === 'string' && keeps(value));
  }
  if (schema instanceof z.ZodNumber && !schema.def.coerce) {
    const keeps = allOf(schema.def.checks, numberRule);
    return keeps && ((value) => Number.isFinite(value) && keeps(value as number));
  }
  return undefined;
}

function allOf<Value>(
  checks: readonly z.core.$ZodCheck[] = [],
  toRule: (check: z.core.$ZodCheck) => Rule<Value> | undefined,
): Rule<Value> | undefined {
  const rules = checks.map(toRule).filter((rule) => rule !== undefined);
  if (rules.length < checks.length) return undefined;
  return (value) => {
    for (const keeps of rules) if (!keeps(value)) return false;
    return true;
  };
}

function textRule(check: z.core.$ZodCheck): Rule<string> | undefined {
  if (check instanceof z.core.$ZodCheckMinLength) {
    const { minimum } = check._zod.def;
    // Of more than one zod counts characters, of which a text may have half as many as it is long.
    return minimum <= 1 ? (text) => text.length >= minimum : undefined;
  }
  if (check instanceof z.core.$ZodCheckMaxLength) {
    const { maximum } = check._zod.def;
    return (text) => text.length <= maximum;
  }
  if (check instanceof z.core.$ZodCheckRegex) {
    const { pattern } = check._zod.def;
    // One with a memory finds the same text only every other time.
    return pattern.global || pattern.sticky ? undefined : (text) => pattern.test(text);
  }
  return refinement(check);
}

function numberRule(check: z.core.$ZodCheck): Rule<number> | undefined {
  if (check instanceof z.core.$ZodCheckNumberFormat) {
    return check._zod.def.format === 'safeint' ? Number.isSafeInteger : undefined;
  }
  if (check instanceof z.core.$ZodCheckGreaterThan) {
    const { value, inclusive } = check._zod.def;
    const bound = Number(value);
    return inclusive ? (number) => number >= bound : (number) => number > bound;
  }
  if (check instanceof z.core.$ZodCheckLessThan) {
    const { value, inclusive } = check._zod.def;
    const bound = Number(value);
    return inclusive ? (number) => number <= bound : (number) => number < bound;
  }
  return refinement(check);
}

function refinement(check: z.core.$ZodCheck): Rule<unknown> | undefined {
  if (!(check instanceof z.core.$ZodCustom) || check._zod.def.when !== undefined) return undefined;
  const { fn } = check._zod.def;
  return (value) => fn(value) === true;
}
