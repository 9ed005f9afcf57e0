import { AdkError, type JsonValue, MAX_RESULT_DEPTH } from '@skein/contracts';
import { describeError } from '../error/describe-error';
import { cleanJson } from '../json/clean-json';

/**
 * What a tool returned, made storable, nothing as null. Throws `tool.too-deep` or `tool.unserialisable`, each a sentence
 * for the model; the same wherever the tool ran.
 */
export function storableResult(tool: string, value: unknown): JsonValue {
  try {
    refuseUnspeakable(value);
    return cleanJson(value ?? null, MAX_RESULT_DEPTH);
  } catch (error) {
    const isTooDeep = AdkError.isInstance(error) && error.code === 'json.too-deep';
    const code = isTooDeep ? 'tool.too-deep' : 'tool.unserialisable';
    const message = `The result of tool '${tool}' cannot be stored: ${describeError(error)}`;
    throw new AdkError('invalid', code, message, { cause: error });
  }
}

/** cleanJson reads these as nothing, as JSON does; a tool that returns one is mistaken and should hear so. */
function refuseUnspeakable(value: unknown): void {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new AdkError('invalid', 'json.no-form', `A ${typeof value} has no JSON form.`);
  }
}
