import { type JsonSchema } from '@skein/engine';
import { type McpSdk } from './load-sdk';

/** Throws with what is wrong with arguments. */
export type CheckArguments = (args: Readonly<Record<string, unknown>>) => void;

/** Above this, making a check of a schema takes the process too long. */
const MAX_SCHEMA_LENGTH = 256 * 1024;
/** The keys below these are names somebody chose. */
const BY_NAME: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Below these there is data, and no schema. */
const DATA: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples', 'required']);

/** The check of a server's schema, made when it is first needed; a schema nothing can be made of checks nothing. */
export function argumentsCheck({ AjvJsonSchemaValidator }: McpSdk, schema: JsonSchema): CheckArguments {
  let check: CheckArguments | undefined;
  const make = (): CheckArguments => {
    if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) return () => undefined;
    try {
      const validate = new AjvJsonSchemaValidator().getValidator(withoutPatterns(schema) as never);
      return (args) => {
        const { valid, errorMessage } = answerOf(() => validate(args));
        if (!valid) throw new Error(errorMessage);
      };
    } catch {
      // The server checks them again: what is not understood here is left to it.
      return () => undefined;
    }
  };
  return (args) => (check ??= make())(args);
}

/** A schema that refers to itself for ever ends as an overflow of the stack: that says nothing of the arguments. */
function answerOf(validate: () => { valid: boolean; errorMessage?: string | undefined }): {
  valid: boolean;
  errorMessage?: string | undefined;
} {
  try {
    return validate();
  } catch {
    return { valid: true };
  }
}

/**
 * Without regular expressions: one that a server chose could keep this process busy for ever. The server's own check
 * finds what they would have found.
 */
function withoutPatterns(schema: unknown, isNamed = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutPatterns(item));
  if (typeof schema !== 'object' || schema === null) return schema;
  const hasPatterns = !isNamed && 'patternProperties' in schema;
  const entries = Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (isNamed) return [[key, withoutPatterns(value)] as const];
    if (key === 'pattern' || key === 'patternProperties' || key === '$schema') return [];
    // What a pattern would have let through is not additional.
    if (hasPatterns && (key === 'additionalProperties' || key === 'unevaluatedProperties')) return [];
    return [[key, DATA.has(key) ? value : withoutPatterns(value, BY_NAME.has(key))] as const];
  });
  return Object.fromEntries(entries);
}
