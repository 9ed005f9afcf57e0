import { type BlockBody, type MessageBody, type MessagesBody } from './anthropic-schema';

/** Thoughts by their signatures, as the server gave them out. */
export type SignedThoughts = ReadonlyMap<string, string>;

type Rule = (body: MessagesBody, signed: SignedThoughts) => string | undefined;

/** The first rule between fields that a body breaks, in the vendor's words (https://platform.claude.com/docs/en/api/errors). */
export function brokenRule(body: MessagesBody, signed: SignedThoughts): string | undefined {
  for (const rule of RULES) {
    const broken = rule(body, signed);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

/** Neighbours of one role are no fault: the API combines them. */
const RULES: readonly Rule[] = [
  userFirst,
  noPrefill,
  idsAreUnique,
  callsHaveResults,
  resultsHaveCalls,
  signaturesHold,
  thinkingEndsNothing,
  thinkingSuitsModel,
  thinkingSuitsRequest,
  thinkingBeginsTurn,
  toolsAreKnown,
  toolsAreObjects,
  schemaIsClosed,
  fewBreakpoints,
];

export function blocksOf({ content }: MessageBody): readonly BlockBody[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function userFirst({ messages }: MessagesBody): string | undefined {
  return messages[0]?.role === 'user' ? undefined : 'messages: first message must use the "user" role';
}

function noPrefill({ messages }: MessagesBody): string | undefined {
  return messages.at(-1)?.role === 'user'
    ? undefined
    : 'This model does not support assistant message prefill. The conversation must end with a user message.';
}

function idsAreUnique({ messages }: MessagesBody): string | undefined {
  const seen = new Set<string>();
  for (const [n, message] of messages.entries()) {
    for (const [m, block] of blocksOf(message).entries()) {
      if (block.type !== 'tool_use') continue;
      if (seen.has(block.id)) return `messages.${n}.content.${m}: \`tool_use\` ids must be unique`;
      seen.add(block.id);
    }
  }
  return undefined;
}

function callsHaveResults({ messages }: MessagesBody): string | undefined {
  for (const [n, message] of messages.entries()) {
    const next = messages[n + 1];
    // Results stand at the beginning: other blocks before them hide them.
    const blocks = next ? blocksOf(next) : [];
    const end = blocks.findIndex(({ type }) => type !== 'tool_result');
    const answered = idsOfResults(end === -1 ? blocks : blocks.slice(0, end));
    const open = idsOfCalls(message).filter((id) => !answered.includes(id));
    if (open.length > 0) {
      return `messages.${n}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
  }
  return undefined;
}

function resultsHaveCalls({ messages }: MessagesBody): string | undefined {
  for (const [n, message] of messages.entries()) {
    const before = messages[n - 1];
    const calls = before ? idsOfCalls(before) : [];
    const results = idsOfResults(blocksOf(message));
    const found = results.find((id, m) => !calls.includes(id) || results.indexOf(id) !== m);
    if (found !== undefined) {
      return `messages.${n}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${found}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
  }
  return undefined;
}

function idsOfCalls(message: MessageBody): readonly string[] {
  return blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
}

function idsOfResults(blocks: readonly BlockBody[]): readonly string[] {
  return blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
}

function signaturesHold({ messages }: MessagesBody, signed: SignedThoughts): string | undefined {
  for (const [n, message] of messages.entries()) {
    for (const [m, block] of blocksOf(message).entries()) {
      if (block.type === 'thinking' && signed.get(block.signature) !== block.thinking) {
        return `messages.${n}.content.${m}: Invalid \`signature\` in \`thinking\` block`;
      }
    }
  }
  return undefined;
}

function thinkingEndsNothing({ messages }: MessagesBody): string | undefined {
  const n = messages.findIndex((message) => {
    const type = blocksOf(message).at(-1)?.type;
    return type === 'thinking' || type === 'redacted_thinking';
  });
  return n === -1
    ? undefined
    : `messages.${n}: The final block in an assistant message cannot be \`thinking\`.`;
}

function thinkingSuitsModel({ model, thinking }: MessagesBody): string | undefined {
  const isManual = /^claude-(3-7|[a-z]+-4(-[0-5])?(-\d{8})?$)/.test(model);
  if (thinking?.type === 'enabled' && !isManual) {
    return '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.';
  }
  return thinking?.type === 'adaptive' && isManual
    ? 'adaptive thinking is not supported on this model'
    : undefined;
}

function thinkingSuitsRequest({ thinking, max_tokens, tool_choice }: MessagesBody): string | undefined {
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= max_tokens)
    return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  const isThinking = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  return isThinking && (tool_choice?.type === 'any' || tool_choice?.type === 'tool')
    ? 'Thinking may not be enabled when tool_choice forces tool use.'
    : undefined;
}

function thinkingBeginsTurn({ thinking, messages }: MessagesBody): string | undefined {
  const [before, last] = messages.slice(-2);
  if (thinking?.type !== 'enabled' || !before || !last || idsOfResults(blocksOf(last)).length === 0)
    return undefined;
  const type = blocksOf(before)[0]?.type ?? 'text';
  return type === 'thinking' || type === 'redacted_thinking'
    ? undefined
    : `messages.${messages.length - 2}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`;
}

function toolsAreKnown({ tools = [], tool_choice }: MessagesBody): string | undefined {
  const names = tools.map(({ name }) => name);
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  if (!tool_choice) return undefined;
  if (names.length === 0) return 'tool_choice: may only be specified while providing tools';
  return tool_choice.type === 'tool' && !names.includes(tool_choice.name)
    ? `tool_choice.name: Tool '${tool_choice.name}' not found in provided tools`
    : undefined;
}

function toolsAreObjects({ tools = [] }: MessagesBody): string | undefined {
  const n = tools.findIndex(({ input_schema: schema }) =>
    ['oneOf', 'allOf', 'anyOf'].some((keyword) => keyword in schema),
  );
  return n === -1
    ? undefined
    : `tools.${n}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
}

function schemaIsClosed({ output_config }: MessagesBody): string | undefined {
  const schema = output_config?.format?.schema;
  return schema && hasOpenObject(schema)
    ? "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
    : undefined;
}

function hasOpenObject(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const isOpen = 'type' in schema && schema.type === 'object' && !('additionalProperties' in schema);
  return isOpen || Object.values(schema).some(hasOpenObject);
}

function fewBreakpoints(body: MessagesBody): string | undefined {
  const count = JSON.stringify(body).split('"cache_control":{').length - 1;
  return count > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${count}.` : undefined;
}
