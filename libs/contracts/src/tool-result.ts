import { z } from 'zod';
import { eventActionsSchema } from './event';
import { invocationIdSchema, sessionKeySchema } from './ids';
import { brokenBound } from './json';
import { ticketSchema } from './tool-call';

/** What running a tool gave: `error` is for the model to read, never the end of the run. */
export const toolOutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('result'), value: z.unknown() }),
  z.object({ kind: z.literal('error'), code: z.string(), message: z.string() }),
]);
export type ToolOutcome = z.infer<typeof toolOutcomeSchema>;

/** Which process ran an attempt, and for how long. */
export const toolExecutionSchema = z.object({
  worker: z.string(),
  pid: z.number().int(),
  attempt: z.number().int().positive(),
  durationMs: z.number().nonnegative(),
});
export type ToolExecution = z.infer<typeof toolExecutionSchema>;

/** What `answer.<runner>` is asked, and a message of RESULTS; its Nats-Msg-Id is `r.<dispatchId>.<ticket's attempt>.<attempt>`. The first stored result of a call wins. */
export const toolResultMessageSchema = sessionKeySchema.extend({
  invocationId: invocationIdSchema,
  tool: z.string(),
  ticket: ticketSchema,
  outcome: toolOutcomeSchema,
  actions: eventActionsSchema,
  execution: toolExecutionSchema,
  /** The attempt failed in a way that another one may not: session-svc decides whether there is one. */
  retry: z.object({ afterMs: z.number().int().nonnegative().optional() }).optional(),
});
export type ToolResultMessage = z.infer<typeof toolResultMessageSchema>;

/** How long a runner may take to store the response event of a result that it was asked to take; then the result goes to RESULTS. */
export const TAKEN_WITHIN_MS = 100;

/** What a runner says of such a result: `applied` once the response event is stored, and nobody else need know of it. */
export const takenResultSchema = z.object({ disposition: z.enum(['applied', 'unknown']) });
export type TakenResult = z.infer<typeof takenResultSchema>;

/** Which attempt of its call gave a result: another one's is a repeat. */
export function attemptOf({ ticket, execution }: ToolResultMessage): string {
  return `${ticket.attempt}.${execution.attempt}`;
}

/**
 * Which part of a result breaks a bound, if any: no event could hold it, so it would end the run. Who reads a result asks,
 * however it came; the schema does not, for it would copy each one.
 */
export function unstorablePart({ outcome, actions }: Pick<ToolResultMessage, 'outcome' | 'actions'>) {
  const ofValue = outcome.kind === 'result' ? brokenBound(outcome.value) : undefined;
  if (ofValue) return { part: 'result', bound: ofValue } as const;
  const ofActions = brokenBound(actions);
  return ofActions && ({ part: 'actions', bound: ofActions } as const);
}
