import { contentSchema, type Content, type Part } from '@skein/contracts';
import type { z } from 'zod';

/** What a user may say (B46): something, no call of a tool, and either answers to calls or words, not both. */
export const userMessageSchema = contentSchema
  .superRefine(checkParts)
  .transform((message): Content => ({ ...message, role: message.role ?? 'user' }));

function checkParts({ parts = [] }: Content, context: z.RefinementCtx): void {
  const refuse = (message: string, path: (string | number)[]) =>
    context.addIssue({ code: 'custom', message, path });
  if (parts.length === 0) refuse('a message must have at least one part', ['parts']);
  const call = parts.findIndex(({ functionCall }) => functionCall !== undefined);
  if (call >= 0) refuse('a user message must not hold function calls', ['parts', call, 'functionCall']);
  if (parts.some(isAnswer) && parts.some(hasText)) refuse(MIXED, ['parts']);
}

const MIXED =
  'Message cannot contain both function responses and text. Function responses resume an invocation, text starts one.';

function isAnswer(part: Part): boolean {
  return part.functionResponse !== undefined;
}

function hasText(part: Part): boolean {
  return part.text !== undefined && part.text !== '';
}
