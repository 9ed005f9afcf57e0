import {
  AdkError,
  type EventActions,
  jsonObjectSchema,
  type JsonValue,
  MAX_RESULT_DEPTH,
  toolConfirmationSchema,
} from '@skein/contracts';
import { z } from 'zod';
import { describeError } from '../error/describe-error';
import { losslessJson } from '../json/clean-json';

/**
 * What a tool may do beside returning. The other actions are the framework's own: with them a tool would write history,
 * as by a compaction, which stands for what was never said.
 */
const toolActionsSchema = z.object({
  stateDelta: jsonObjectSchema.optional(),
  artifactDelta: z.record(z.string(), z.number().int().nonnegative()).optional(),
  requestedAuthConfigs: jsonObjectSchema.optional(),
  requestedToolConfirmations: z.record(z.string(), toolConfirmationSchema).optional(),
  // Nullish, because a tool in JavaScript unsets them with null.
  skipSummarization: z.boolean().nullish(),
  transferToAgent: z.string().nullish(),
  escalate: z.boolean().nullish(),
});

const MAX_KEY_LENGTH = 200;
const MAPS = ['stateDelta', 'artifactDelta', 'requestedAuthConfigs', 'requestedToolConfirmations'] as const;
const IS_MAP: ReadonlySet<string> = new Set(MAPS);

/**
 * What a tool did beside returning, made storable; state set to undefined as null, which is read again as nothing. Throws
 * `tool.bad-actions` for a wrong type, which the store would refuse for good, `tool.unserialisable` or `tool.too-deep` for a value
 * without a JSON form, by its key: each a sentence for the model; the same wherever the tool ran.
 */
export function storableActions(tool: string, actions: unknown): EventActions {
  const read = readActions(tool, actions);
  if (hasNone(read)) return read;
  // Read again as JSON: what a tool gave a form of its own, by toJSON, may have any.
  return readActions(tool, asJson(tool, { ...read, stateDelta: withNulls(read.stateDelta) }));
}

/** As of most tools: the four maps, empty, and nothing else. */
function hasNone(actions: object): boolean {
  const entries: [string, unknown][] = Object.entries(actions);
  return (
    entries.length === MAPS.length && entries.every(([name, value]) => IS_MAP.has(name) && isEmptyMap(value))
  );
}

function isEmptyMap(value: unknown): boolean {
  return isPlain(value) && !('toJSON' in value) && Object.keys(value).length === 0;
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function asJson(tool: string, actions: EventActions): JsonValue {
  try {
    return losslessJson(actions, MAX_RESULT_DEPTH);
  } catch (error) {
    const { place, cause } = culpritOf(actions) ?? { place: '', cause: error };
    const isTooDeep = AdkError.isInstance(cause) && cause.code === 'json.too-deep';
    const code = isTooDeep ? 'tool.too-deep' : 'tool.unserialisable';
    const reason = `The actions of tool '${tool}' cannot be stored: ${place}${describeError(cause)}`;
    throw new AdkError('invalid', code, reason, { cause });
  }
}

/** The first entry that cannot be stored by itself; none where all of them are too much together. */
function culpritOf(actions: EventActions): { readonly place: string; readonly cause: unknown } | undefined {
  for (const map of MAPS) {
    for (const [key, value] of Object.entries(actions[map])) {
      try {
        // As deep as it lies in them.
        losslessJson(value, MAX_RESULT_DEPTH - 2);
      } catch (cause) {
        return { place: `${map} ${JSON.stringify(key.slice(0, MAX_KEY_LENGTH))}: `, cause };
      }
    }
  }
  return undefined;
}

/** Leaving it out would leave what was there before. */
function withNulls(stateDelta: EventActions['stateDelta']): EventActions['stateDelta'] {
  const entries = Object.entries(stateDelta);
  if (!entries.some(([, value]) => value === undefined)) return stateDelta;
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? null]));
}

/** Field by field and not as the schema copies it, which leaves out a key named `__proto__`. */
function readActions(tool: string, actions: unknown): EventActions {
  assertActions(tool, actions);
  const { stateDelta, artifactDelta, requestedAuthConfigs, requestedToolConfirmations } = actions;
  const { skipSummarization, transferToAgent, escalate } = actions;
  return {
    stateDelta: stateDelta ?? {},
    artifactDelta: artifactDelta ?? {},
    requestedAuthConfigs: requestedAuthConfigs ?? {},
    requestedToolConfirmations: requestedToolConfirmations ?? {},
    ...(typeof skipSummarization === 'boolean' ? { skipSummarization } : {}),
    ...(typeof transferToAgent === 'string' ? { transferToAgent } : {}),
    ...(typeof escalate === 'boolean' ? { escalate } : {}),
  };
}

function assertActions(tool: string, actions: unknown): asserts actions is z.input<typeof toolActionsSchema> {
  const wrong = whatIsWrong(actions);
  if (wrong === undefined) return;
  throw new AdkError(
    'invalid',
    'tool.bad-actions',
    `The actions of tool '${tool}' cannot be used: ${wrong}.`,
  );
}

function whatIsWrong(actions: unknown): string | undefined {
  try {
    if (isPlain(actions) && hasNone(actions)) return undefined;
    const [issue] = toolActionsSchema.safeParse(actions).error?.issues ?? [];
    return issue && `${issue.path.join('.')}: ${issue.message}`;
  } catch (thrown) {
    // A getter of the tool's own.
    return describeError(thrown);
  }
}
