import { z } from 'zod';

/**
 * The body of `POST /v1/messages`, version 2026-10-21, as far as client tools go. From the vendor's reference,
 * https://platform.claude.com/docs/en/api/messages/create, and the types of @anthropic-ai/sdk 1.12.0. A field that is not
 * here is refused, `temperature`, `top_p` and `top_k` among them: that version took them out.
 */
const base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Invalid base64 data');
const callId = z.string().regex(/^[a-zA-Z0-9_-]+$/, "String should match pattern '^[a-zA-Z0-9_-]+$'");
const toolName = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,128}$/, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
const jsonObject = z.record(z.string(), z.unknown());

const cacheControl = z.strictObject({
  type: z.literal('ephemeral'),
  ttl: z.enum(['5m', '1h']).optional(),
});
const cached = { cache_control: cacheControl.nullish() };

const text = z.strictObject({
  type: z.literal('text'),
  text: z
    .string()
    .min(1, 'text content blocks must be non-empty')
    .regex(/\S/, 'text content blocks must contain non-whitespace text'),
  ...cached,
});
const url = z.strictObject({ type: z.literal('url'), url: z.url() });
const file = z.strictObject({ type: z.literal('file'), file_id: z.string().startsWith('file_') });
const image = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: base64,
    }),
    url,
    file,
  ]),
  ...cached,
});
const document = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: base64 }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
    url,
    file,
  ]),
  title: z.string().nullish(),
  context: z.string().nullish(),
  ...cached,
});
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: callId,
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [text, image, document]))]).optional(),
  is_error: z.boolean().optional(),
  ...cached,
});
const toolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: callId,
  name: toolName,
  input: jsonObject,
  ...cached,
});
const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
});
const redactedThinking = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) });

const EMPTY = 'all messages must have non-empty content';
/** Since that version no documents stand in an assistant's message. */
const message = z.discriminatedUnion('role', [
  z.strictObject({
    role: z.literal('user'),
    content: z.union([
      z.string().min(1, EMPTY),
      z.array(z.discriminatedUnion('type', [text, image, document, toolResult])).min(1, EMPTY),
    ]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([
      z.string().min(1, EMPTY),
      z.array(z.discriminatedUnion('type', [text, toolUse, thinking, redactedThinking])).min(1, EMPTY),
    ]),
  }),
]);

const display = { display: z.enum(['summarized', 'omitted']).nullish() };
const parallel = { disable_parallel_tool_use: z.boolean().optional() };

export const messagesSchema = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(0),
  messages: z.array(message).min(1, 'at least one message is required').max(100_000),
  ...cached,
  inference_geo: z.string().nullish(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: jsonObject }).nullish(),
    })
    .optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  speed: z.enum(['standard', 'fast']).nullish(),
  stop_sequences: z
    .array(z.string().regex(/\S/, 'each stop sequence must contain non-whitespace'))
    .optional(),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(text)]).optional(),
  thinking: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1_024), ...display }),
      z.strictObject({ type: z.literal('adaptive'), ...display }),
      z.strictObject({ type: z.literal('between_tools') }),
      z.strictObject({ type: z.literal('disabled') }),
    ])
    .optional(),
  tool_choice: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('auto'), ...parallel }),
      z.strictObject({ type: z.literal('any'), ...parallel }),
      z.strictObject({ type: z.literal('tool'), name: z.string(), ...parallel }),
      z.strictObject({ type: z.literal('none') }),
    ])
    .optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('custom').nullish(),
        name: toolName,
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        strict: z.boolean().optional(),
        ...cached,
      }),
    )
    .optional(),
});

export type MessagesBody = z.infer<typeof messagesSchema>;
export type MessageBody = MessagesBody['messages'][number];
export type BlockBody = Exclude<MessageBody['content'], string>[number];

/** What is wrong with a body's fields, in the vendor's words; nothing when they are in order. */
export function wrongFields(body: unknown): string | undefined {
  const { error } = messagesSchema.safeParse(body);
  return error?.issues.map(sentence).join('; ');
}

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .map((key) => `${place ? `${place}.` : ''}${key}: Extra inputs are not permitted`)
      .join('; ');
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) return `${place}: Field required`;
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const inner = issue.errors.map((issues) => issues.map(sentence).join(', '));
    return `${place}: ${inner.join(' or ')}`;
  }
  return `${place}: ${issue.message}`;
}
