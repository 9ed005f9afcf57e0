import { type InvocationDetails, invocationDetailsSchema, invocationPageSchema } from '@skein/contracts';
import { z } from 'zod';

const answerSchema = z.union([invocationPageSchema, invocationDetailsSchema]);

/** A line for each invocation of an answer: id, status, when it began, and what it came to. */
export function describeAnswer(answer: unknown): string {
  const read = answerSchema.parse(answer);
  const invocations = 'invocations' in read ? read.invocations : [read];
  return invocations.map((invocation) => `${lineOf(invocation)}\n`).join('');
}

function lineOf({
  invocationId,
  status,
  createTime,
  cancelRequestTime,
  stopTime,
  error,
}: InvocationDetails): string {
  const isEnding = cancelRequestTime !== undefined && stopTime === undefined;
  const told = isEnding ? 'is being cancelled' : error && `${error.code}: ${error.message}`;
  const began = new Date(createTime * 1000).toISOString();
  return [invocationId, status.padEnd(9), began, told].filter(Boolean).join('  ').trimEnd();
}
