import { AdkError, type JsonValue, MAX_JSON_DEPTH } from '@skein/contracts';
import { describeError } from '../error/describe-error';
import { losslessJson } from '../json/clean-json';

/** Above a value are the event's fields, its actions and the delta. */
const MAX_STATE_DEPTH = MAX_JSON_DEPTH - 3;
const MAX_KEY_LENGTH = 200;

/**
 * State that code of the run set, made storable as a tool's is; what was set to undefined as null, which is read again as
 * nothing. Throws `state.unserialisable` or `state.too-deep` for a value without a JSON form, by its key.
 *
 * @param setBy what set it: an agent, with its step
 */
export function storableState(
  stateDelta: Readonly<Record<string, unknown>>,
  setBy: string,
): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(stateDelta).map(([key, value]) => [key, stored(key, value, setBy)]),
  );
}

function stored(key: string, value: unknown, setBy: string): JsonValue {
  try {
    return losslessJson(value ?? null, MAX_STATE_DEPTH);
  } catch (cause) {
    const isTooDeep = AdkError.isInstance(cause) && cause.code === 'json.too-deep';
    const name = JSON.stringify(key.slice(0, MAX_KEY_LENGTH));
    throw new AdkError(
      'invalid',
      isTooDeep ? 'state.too-deep' : 'state.unserialisable',
      `The state that ${setBy} set cannot be stored: stateDelta ${name}: ${describeError(cause)}`,
      { cause },
    );
  }
}
