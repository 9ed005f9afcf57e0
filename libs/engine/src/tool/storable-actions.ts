import { AdkError, type EventActions, jsonObjectSchema, toolConfirmationSchema } from '@skein/contracts';
import { z } from 'zod';
import { describeError } from '../error/describe-error';
import { storableResult } from './storable-result';

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

/**
 * What a tool did beside returning, made storable. Throws `tool.bad-actions` for a wrong type, which the store would
 * refuse for good, and what `storableResult` throws: each a sentence for the model; the same wherever the tool ran.
 */
export function storableActions(tool: string, actions: unknown): EventActions {
  // Read again as JSON: what a tool gave a form of its own, by toJSON, may have any.
  return readActions(tool, storableResult(tool, readActions(tool, actions)));
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
    const [issue] = toolActionsSchema.safeParse(actions).error?.issues ?? [];
    return issue && `${issue.path.join('.')}: ${issue.message}`;
  } catch (thrown) {
    // A getter of the tool's own.
    return describeError(thrown);
  }
}
