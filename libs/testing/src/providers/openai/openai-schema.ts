import { z } from 'zod';

/*
 * The body of POST /v1/chat/completions, field for field, as OpenAI's reference has it:
 * https://platform.openai.com/docs/api-reference/chat/create. What only other servers take stands in EXTENSIONS.
 */

const EMPTY = 'Invalid type: expected a non-empty array.';
const struct = z.record(z.string(), z.unknown());
const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, "does not match pattern '^[a-zA-Z0-9_-]{1,64}$'");
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const imageUrl = z
  .string()
  .refine((url) => /^https?:\/\//.test(url) || isDataOf(url, /^image\/(png|jpeg|gif|webp)$/), {
    error: ({ input }) => `Unsupported image: ${String(input).slice(0, 60)}. Formats: png, jpeg, gif, webp.`,
  });
const fileData = z.string().refine((url) => isDataOf(url, /^application\/pdf$/), {
  error: 'Invalid file data: expected a base64 encoded data URL with application/pdf.',
});

/** https://developer.mozilla.org/en-US/docs/Web/URI/Reference/Schemes/data, base64 only. */
function isDataOf(url: string, mimeType: RegExp): boolean {
  const [, type = '', data = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return mimeType.test(type) && base64.test(data);
}

const text = z.strictObject({ type: z.literal('text'), text: z.string() });
const userPart = z.discriminatedUnion('type', [
  text,
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: imageUrl, detail: z.enum(['auto', 'low', 'high']).optional() }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: z.string().regex(base64), format: z.enum(['wav', 'mp3']) }),
  }),
  z.strictObject({
    type: z.literal('file'),
    file: z.strictObject({
      file_data: fileData.optional(),
      file_id: z.string().optional(),
      filename: z.string().optional(),
    }),
  }),
]);
export type UserPartBody = z.infer<typeof userPart>;

const words = z.union([z.string(), z.array(text).min(1, EMPTY)]);

/** Fields of vLLM, Ollama, DeepSeek, LiteLLM and Google's endpoint, which OpenAI itself does not know. */
const EXTENSIONS = ['reasoning_content', 'reasoning', 'thinking_blocks', 'extra_content', 'top_k'] as const;

const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: toolName, arguments: z.string() }),
  extra_content: z.strictObject({ google: z.strictObject({ thought_signature: z.string() }) }).optional(),
});

const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: words, name: z.string().optional() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(userPart).min(1, EMPTY)]),
    name: z.string().optional(),
  }),
  z
    .strictObject({
      role: z.literal('assistant'),
      content: words.nullish(),
      refusal: z.string().nullish(),
      name: z.string().optional(),
      tool_calls: z.array(toolCall).min(1, EMPTY).optional(),
      reasoning_content: z.string().optional(),
      reasoning: z.string().optional(),
      thinking_blocks: z
        .array(z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }))
        .optional(),
    })
    .refine(({ content, tool_calls: calls }) => (content ?? calls) !== undefined, {
      error: "Invalid value for 'content': expected a string, got null.",
    }),
  z.strictObject({ role: z.literal('tool'), content: words, tool_call_id: z.string() }),
]);
export type MessageBody = z.infer<typeof message>;

const tool = z.strictObject({
  type: z.literal('function'),
  function: z.strictObject({
    name: toolName,
    description: z.string().optional(),
    parameters: struct.optional(),
    strict: z.boolean().nullish(),
  }),
});

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: toolName }) }),
]);

const responseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: toolName,
      description: z.string().optional(),
      schema: struct.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const penalty = z.number().min(-2).max(2).nullish();

export const completionSchema = z.strictObject({
  model: z.string(),
  messages: z.array(message).min(1, '[] is too short'),
  frequency_penalty: penalty,
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
  modalities: z.array(z.enum(['text', 'audio'])).nullish(),
  n: z.int().min(1).max(128).nullish(),
  parallel_tool_calls: z.boolean().optional(),
  presence_penalty: penalty,
  prompt_cache_key: z.string().optional(),
  prompt_cache_retention: z.enum(['in_memory', '24h']).nullish(),
  reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
  response_format: responseFormat.optional(),
  safety_identifier: z.string().optional(),
  seed: z.int().nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority']).nullish(),
  stop: z.union([z.string(), z.array(z.string()).min(1).max(4)]).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
    .nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  tool_choice: toolChoice.optional(),
  tools: z.array(tool).min(1, EMPTY).max(128).optional(),
  top_k: z.int().min(1).optional(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  user: z.string().optional(),
  verbosity: z.enum(['low', 'medium', 'high']).nullish(),
});
export type CompletionBody = z.infer<typeof completionSchema>;

/** What is wrong with a body's fields, in the vendor's words. */
export function wrongFields(body: unknown, isExtended: boolean): string | undefined {
  const { error } = completionSchema.safeParse(body);
  if (error) return error.issues.map(sentence).join('; ');
  const unknown = isExtended ? undefined : EXTENSIONS.find((field) => holds(body, field));
  return unknown === undefined ? undefined : `Unknown parameter: '${unknown}'.`;
}

/** Within what the reference defines: schemas and metadata may name their fields as they like. */
function holds(body: unknown, field: string): boolean {
  if (Array.isArray(body)) return body.some((item) => holds(item, field));
  if (typeof body !== 'object' || body === null) return false;
  return Object.entries(body).some(
    ([name, value]) => name === field || (!FREE.has(name) && holds(value, field)),
  );
}

const FREE: ReadonlySet<string> = new Set(['parameters', 'schema', 'metadata', 'logit_bias']);

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `Unknown parameter: '${place ? `${place}.` : ''}${key}'.`).join(' ');
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return `Missing required parameter: '${place}'.`;
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    return `Invalid value for '${place}': ${issue.errors.flat().map(sentence).join(' or ')}`;
  }
  return `Invalid '${place}': ${issue.message}`;
}
