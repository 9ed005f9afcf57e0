import { z } from 'zod';
import { UnreadableAnswer } from '../reading/bad-answer';
import { type ToolNames } from '../request/tool-names';

/*
 * What of an answer is read: a chunk of a stream has `delta` where a whole completion has `message`.
 * https://platform.openai.com/docs/api-reference/chat, and what servers that speak it add:
 * `reasoning_content` (vLLM, DeepSeek, LiteLLM), `reasoning` (Ollama, newer vLLM, Groq), `thinking_blocks` (LiteLLM for
 * Claude), `extra_content` (Google's own endpoint) and contents that are lists (Mistral).
 */

const callSchema = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .looseObject({
      name: z.string().nullish(),
      // Text by the reference; some servers send the object that the text would be of.
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
  extra_content: z
    .looseObject({ google: z.looseObject({ thought_signature: z.string().nullish() }).nullish() })
    .nullish(),
});
export type WireCall = z.infer<typeof callSchema>;

const word = z.string().nullish().catch(undefined);
const wordsSchema = z.looseObject({ text: word, thinking: z.array(z.looseObject({ text: word })).catch([]) });

const saidSchema = z.looseObject({
  content: z.union([z.string(), z.array(wordsSchema)]).nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  thinking_blocks: z
    .array(z.looseObject({ thinking: z.string().nullish(), signature: z.string().nullish() }))
    .nullish(),
  tool_calls: z.array(callSchema).nullish(),
});
export type WireSaid = z.infer<typeof saidSchema>;

const tokens = z.number().nullish().catch(undefined);

const usageSchema = z.looseObject({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens,
  prompt_tokens_details: z.looseObject({ cached_tokens: tokens }).nullish().catch(undefined),
  completion_tokens_details: z.looseObject({ reasoning_tokens: tokens }).nullish().catch(undefined),
});
export type WireUsage = z.infer<typeof usageSchema>;

const tokenSchema = z.looseObject({ token: z.string(), logprob: z.number() });
const logprobsSchema = z.looseObject({
  content: z.array(tokenSchema.extend({ top_logprobs: z.array(tokenSchema).nullish() })).nullish(),
});
export type WireLogprobs = NonNullable<z.infer<typeof logprobsSchema>['content']>;

const choiceSchema = z.looseObject({
  index: z.number().nullish(),
  delta: saidSchema.nullish(),
  message: saidSchema.nullish(),
  finish_reason: z.string().nullish(),
  logprobs: logprobsSchema.nullish().catch(undefined),
});
export type WireChoice = z.infer<typeof choiceSchema>;

const pieceSchema = z.looseObject({
  choices: z.array(choiceSchema).nullish(),
  usage: usageSchema.nullish().catch(undefined),
  model: word,
});
/** A chunk of a stream, or a whole completion. */
export type WirePiece = z.infer<typeof pieceSchema>;

/** A piece, and what of its answer only its request and its stream know. */
export type OpenAIPiece = WirePiece & {
  /** How the tools that it calls are named there. */
  readonly names?: Pick<ToolNames, 'meant'>;
  /** The server said that this was all: the stream did not just end. */
  readonly isDone?: true;
};

/**
 * Reads what a server sent in the place of an answer. Throws what the server says of its failure, as the SDK does where it
 * sees one, and `model.bad-answer` for what is no answer at all.
 */
export function readPiece(value: unknown): WirePiece {
  const failure = failureIn(value);
  if (failure) throw failure;
  const { data, error } = pieceSchema.safeParse(value);
  if (data) return data;
  const [issue] = error.issues;
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  const why = issue?.message ?? 'it has another shape';
  throw new UnreadableAnswer(`it is in another form${where}: ${why}.`);
}

/** Proxies report behind a status of 200; of older vLLM the error is the whole body. */
function failureIn(value: unknown): Error | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('error' in value && value.error) return failed(value.error);
  return 'object' in value && value.object === 'error' ? failed(value) : undefined;
}

function failed(error: unknown): Error {
  const told = typeof error === 'object' && error !== null && 'message' in error ? error.message : error;
  const message = typeof told === 'string' ? told : 'The server failed without a word.';
  return Object.assign(new Error(message), { error });
}
