import { type Part } from '@skein/contracts';
import { type LlmResponse } from '@skein/engine';
import { cameFrom } from '../request/part-origin';
import { fromOpenAILogprobs } from './openai-logprobs';
import { fromOpenAIUsage } from './openai-usage';
import { type WireChoice, type WireLogprobs, type WirePiece, type WireSaid } from './openai-wire';

/** The one answer that was asked for. */
export function firstChoice({ choices }: WirePiece): WireChoice | undefined {
  return choices?.find(({ index }) => (index ?? 0) === 0);
}

/** What a piece says about an answer, whether there is one in it or not. */
export function aboutPiece({ usage, model }: WirePiece): LlmResponse {
  return {
    ...(usage ? { usageMetadata: fromOpenAIUsage(usage) } : {}),
    ...(model ? { modelVersion: model } : {}),
  };
}

/** Thoughts and text; calls are put together elsewhere. */
export function saidParts(said: WireSaid): Part[] {
  const { content } = said;
  const text = Array.isArray(content) ? content.map((part) => part.text ?? '').join('') : content;
  return [...thoughtParts(said), ...(text ? [{ text }] : [])];
}

function thoughtParts(said: WireSaid): Part[] {
  const { reasoning_content: usual, reasoning, thinking_blocks: blocks, content } = said;
  const signature = blocks?.findLast((block) => block.signature)?.signature;
  const thinking = (blocks ?? []).map((block) => block.thinking ?? '').join('');
  const listed = Array.isArray(content) ? content.flatMap((part) => part.thinking) : [];
  const text =
    [usual, reasoning, thinking, listed.map((part) => part.text ?? '').join('')].find((one) => one) ?? '';
  if (!text && !signature) return [];
  // Where it is not the usual one, thoughts go back in the field that they came in.
  const field = !usual && reasoning ? ({ reasoningField: 'reasoning' } as const) : {};
  return [
    {
      text,
      thought: true,
      ...(signature ? { thoughtSignature: signature } : {}),
      ...cameFrom({ provider: 'openai', ...field }),
    },
  ];
}

export function aboutTokens(tokens: WireLogprobs): LlmResponse {
  return tokens.length > 0 ? { customMetadata: fromOpenAILogprobs(tokens) } : {};
}

const FINISH_REASONS: Readonly<Record<string, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  function_call: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

export const NO_ANSWER: LlmResponse = {
  errorCode: 'UNKNOWN_ERROR',
  errorMessage: 'The model gave no answer.',
};

/** Why an answer ended, in google-genai's words. A refusal, in words of the model's own, is a block for safety. */
export function endOf(finish: string, refusal: string): LlmResponse {
  if (refusal) return { finishReason: 'SAFETY', errorCode: 'SAFETY', errorMessage: refusal };
  const finishReason = FINISH_REASONS[finish] ?? 'OTHER';
  if (finishReason === 'STOP' || finishReason === 'MAX_TOKENS') return { finishReason };
  const errorMessage =
    finishReason === 'SAFETY'
      ? "The provider's content filter ended the answer."
      : `The model ended its answer early: ${finish}.`;
  return { finishReason, errorCode: finishReason, errorMessage };
}
