import { type CompletionBody, type MessageBody } from './openai-schema';

/** The first rule that a body breaks although its fields are in order, in the vendor's words. */
export function brokenRule(body: CompletionBody, isExtended: boolean): string | undefined {
  return (
    settingProblem(body) ??
    formatProblem(body) ??
    pairingProblem(body.messages) ??
    (isExtended ? argumentsProblem(body.messages) : idProblem(body.messages))
  );
}

function settingProblem(body: CompletionBody): string | undefined {
  const { tools, max_tokens: oldLimit, max_completion_tokens: limit } = body;
  if (body.stream_options && !body.stream) {
    return "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
  }
  if (!tools && body.tool_choice !== undefined) {
    return "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.";
  }
  if (!tools && body.parallel_tool_calls !== undefined) {
    return "Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.";
  }
  if (typeof body.tool_choice === 'object') {
    const { name } = body.tool_choice.function;
    if (!tools?.some((tool) => tool.function.name === name)) {
      return `Invalid value for 'tool_choice': tool '${name}' was not found among 'tools'.`;
    }
  }
  if (new Set(tools?.map((tool) => tool.function.name)).size < (tools?.length ?? 0)) {
    return 'Invalid tools: names of tools must be unique.';
  }
  if (typeof oldLimit === 'number' && typeof limit === 'number') {
    return 'Setting max_tokens and max_completion_tokens at the same time is not supported.';
  }
  if (typeof body.top_logprobs === 'number' && !body.logprobs) {
    return "'logprobs' must be set to true if 'top_logprobs' is used.";
  }
  return undefined;
}

/** https://platform.openai.com/docs/guides/structured-outputs */
function formatProblem({ response_format: format, messages }: CompletionBody): string | undefined {
  if (format?.type === 'json_object' && !/json/i.test(JSON.stringify(messages))) {
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
  }
  if (format?.type !== 'json_schema' || !format.json_schema.strict) return undefined;
  const { name, schema = {} } = format.json_schema;
  const problem =
    schema.type === 'object' ? looseness(schema) : 'schema must be a JSON Schema of type object';
  return problem && `Invalid schema for response_format '${name}': ${problem}.`;
}

const REFUSED: ReadonlySet<string> = new Set([
  ...['minLength', 'maxLength', 'minProperties', 'maxProperties', 'patternProperties', 'propertyNames'],
  ...['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'default', 'uniqueItems', 'prefixItems', 'contains'],
]);

/** What a schema that is to be kept to strictly leaves open. */
function looseness(schema: object): string | undefined {
  const { properties, required, additionalProperties } = schema as Record<string, unknown>;
  const refused = Object.keys(schema).find((keyword) => REFUSED.has(keyword));
  if (refused !== undefined) return `'${refused}' is not permitted`;
  if ('type' in schema && schema.type === 'object') {
    if (additionalProperties !== false) {
      return "'additionalProperties' is required to be supplied and to be false";
    }
    const names: readonly unknown[] = Array.isArray(required) ? required : [];
    const missing = Object.keys(properties ?? {}).find((name) => !names.includes(name));
    if (missing !== undefined) {
      return `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'`;
    }
  }
  return innerSchemas(schema)
    .map(looseness)
    .find((problem) => problem !== undefined);
}

function innerSchemas(schema: object): object[] {
  const { properties, $defs, items, anyOf } = schema as Record<string, unknown>;
  const named = [properties, $defs].flatMap((one) => Object.values(one ?? {}) as object[]);
  return [...named, ...(items ? [items] : []), ...((anyOf as object[] | undefined) ?? [])];
}

function pairingProblem(messages: readonly MessageBody[]): string | undefined {
  let open: string[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      const index = open.indexOf(message.tool_call_id);
      if (index === -1) {
        return `Invalid parameter: messages[${at}] with role 'tool' must be a response to a preceding message with 'tool_calls'.`;
      }
      open.splice(index, 1);
      continue;
    }
    if (open.length > 0) return unanswered(open);
    if (message.role !== 'assistant') continue;
    open = (message.tool_calls ?? []).map(({ id }) => id);
    const twice = open.find((id, index) => open.indexOf(id) !== index);
    if (twice !== undefined) {
      return `Invalid parameter: Duplicate value for 'tool_call_id' of '${twice}' in message[${at}].`;
    }
  }
  return open.length > 0 ? unanswered(open) : undefined;
}

function unanswered(ids: readonly string[]): string {
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${ids.join(', ')}`;
}

const MAX_ID = 40;

function idProblem(messages: readonly MessageBody[]): string | undefined {
  const id = callsOf(messages)
    .map((call) => call.id)
    .find((one) => one.length > MAX_ID);
  return (
    id &&
    `Invalid tool call id: string too long. Expected a string with maximum length ${MAX_ID}, but got a string with length ${id.length} instead.`
  );
}

/** Templates of models read the arguments of earlier calls; OpenAI itself takes any text. */
function argumentsProblem(messages: readonly MessageBody[]): string | undefined {
  const broken = callsOf(messages).find((call) => !isObject(call.function.arguments));
  return broken && `Tool call ${broken.id}: arguments are no JSON object.`;
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function callsOf(messages: readonly MessageBody[]) {
  return messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []));
}
