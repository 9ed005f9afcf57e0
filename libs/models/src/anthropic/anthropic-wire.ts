import { z } from 'zod';
import { UnreadableAnswer } from '../reading/bad-answer';

/*
 * What of an answer is read: https://platform.claude.com/docs/en/api/messages/create and
 * https://platform.claude.com/docs/en/build-with-claude/streaming. Proxies leave out much of what the reference has, and
 * may write null in its place; what is missing says nothing.
 */

const word = z.string().nullish().catch(undefined);
const tokens = z.number().nullish().catch(undefined);

const kind = z.string().catch('');

const blockSchema = z.looseObject({
  type: kind,
  text: word,
  thinking: word,
  signature: word,
  data: word,
  id: word,
  name: word,
  input: z.unknown().optional(),
});
export type WireBlock = z.infer<typeof blockSchema>;

const deltaSchema = z.looseObject({
  type: kind,
  text: word,
  thinking: word,
  signature: word,
  partial_json: word,
});
export type WireDelta = z.infer<typeof deltaSchema>;

const stopSchema = z.looseObject({
  stop_reason: word,
  stop_details: z.looseObject({ category: word, explanation: word }).nullish().catch(undefined),
});
/** Why an answer ended; nothing where the server does not say. */
export type WireStop = z.infer<typeof stopSchema>;

const usageSchema = z
  .looseObject({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_creation_input_tokens: tokens,
    cache_read_input_tokens: tokens,
    output_tokens_details: z.looseObject({ thinking_tokens: tokens }).nullish().catch(undefined),
  })
  .nullish()
  .catch(undefined);
/** Token counts of an answer, or of a part of a stream. */
export type WireUsage = NonNullable<z.infer<typeof usageSchema>>;

/** What is no block is one that says nothing. */
const contentSchema = z.union([
  z.string().transform((text): WireBlock[] => [{ type: 'text', text }]),
  z.array(blockSchema.catch({ type: '' })),
]);

const messageSchema = stopSchema.extend({ content: contentSchema, usage: usageSchema, model: word });
export type WireMessage = z.infer<typeof messageSchema>;

const index = z.number().nullish();
const eventSchemas = {
  message_start: z.looseObject({ message: z.looseObject({ usage: usageSchema, model: word }) }),
  content_block_start: z.looseObject({ index, content_block: blockSchema }),
  content_block_delta: z.looseObject({ index, delta: deltaSchema }),
  content_block_stop: z.looseObject({ index }),
  message_delta: z.looseObject({ delta: stopSchema, usage: usageSchema }),
  message_stop: z.looseObject({}),
};
type EventSchemas = typeof eventSchemas;
type EventType = keyof EventSchemas;
export type WireEvent = { [Type in EventType]: { type: Type } & z.infer<EventSchemas[Type]> }[EventType];

/** Throws `model.bad-answer` for what is no message, and what the server says of its failure where it does. */
export function readMessage(value: unknown): WireMessage {
  return read(messageSchema, value);
}

/** An event of a stream; nothing for one of another kind, as a ping or of the future. Throws as `readMessage` does. */
export function readEvent(value: unknown): WireEvent | undefined {
  const { type } = read(z.looseObject({ type: kind }), value);
  if (!isKnown(type)) return undefined;
  // Which of the schemas it is read with is what its type says.
  return { ...read(eventSchemas[type], value), type } as WireEvent;
}

function isKnown(type: string): type is EventType {
  return Object.hasOwn(eventSchemas, type);
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const failure = failureIn(value);
  if (failure) throw failure;
  const { data, error, success } = schema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  const why = issue?.message ?? 'it has another shape';
  throw new UnreadableAnswer(`it is in another form${where}: ${why}.`);
}

const errorSchema = z.looseObject({
  type: z.literal('error'),
  error: z.looseObject({ message: z.string().min(1) }),
});

/** Proxies report failures behind a status of 200. */
function failureIn(value: unknown): Error | undefined {
  const { data } = errorSchema.safeParse(value);
  return data && Object.assign(new Error(data.error.message), { error: data.error });
}
