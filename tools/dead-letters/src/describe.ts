import {
  type DeadLetter,
  type DeadLetterDetails,
  deadLetterDetailsSchema,
  deadLetterSchema,
} from '@skein/contracts';
import { z } from 'zod';

const answerSchema = z.union([
  z.object({ deadLetters: z.array(deadLetterSchema), next: z.string().optional() }),
  deadLetterDetailsSchema,
]);

/** A line for each letter of an answer, or one letter with what it was given; then where the next page begins. */
export function describeAnswer(answer: unknown): string {
  const read = answerSchema.parse(answer);
  if (!('deadLetters' in read)) return describeOne(read);
  const lines = read.deadLetters.map((letter) => `${lineOf(letter)}\n`);
  return lines.join('') + (read.next === undefined ? '' : `more: --before ${read.next}\n`);
}

function describeOne(letter: DeadLetterDetails): string {
  const { userId, sessionId, invocationId, agentName, pool, attempts, args, result, redriveTime } = letter;
  const fields = {
    userId,
    sessionId,
    invocationId,
    agentName,
    pool,
    attempts,
    redriven: redriveTime === undefined ? undefined : timeOf(redriveTime),
    args,
    result: result?.outcome,
  };
  const told = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `${lineOf(letter)}\n${told.map(([name, value]) => `  ${name}: ${JSON.stringify(value)}\n`).join('')}`;
}

function lineOf({ dispatchId, status, dieTime, tool, code, message }: DeadLetter): string {
  const died = timeOf(dieTime);
  // The message may hold what a tool or a model wrote: as JSON it moves no terminal's cursor.
  return [dispatchId, status.padEnd(9), died, tool, `${code}: ${JSON.stringify(message)}`].join('  ');
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
