import { z } from 'zod';
import { contentSchema } from './content';
import { eventSchema } from './event';
import { dispatchIdSchema, invocationIdSchema, sessionKeySchema } from './ids';
import { invocationErrorSchema } from './invocation';
import { jsonObjectSchema } from './json';
import { stepRecordSchema } from './step-record';
import { callRowSchema, ticketSchema } from './tool-call';

/** How a segment ends; `waiting` when a call of the invocation is left for somebody outside to answer. */
export const finishSchema = z.object({
  status: z.enum(['completed', 'failed', 'waiting', 'cancelled']),
  error: invocationErrorSchema.optional(),
  /** The segment was refused before it did anything: it failed, the invocation is what it was before it. */
  isRefusal: z.boolean().optional(),
});
export type Finish = z.infer<typeof finishSchema>;

/** An event and the step that made it; its id derives from both, so a repeat is the same event. */
export const unitEventSchema = z.object({
  stepKey: z.string(),
  /** Of what the step asked for. */
  hash: z.string().optional(),
  event: eventSchema,
});
export type UnitEvent = z.infer<typeof unitEventSchema>;

/** A call, and which attempt of it gave the answer that counts. */
const answeredCallSchema = z.object({ dispatchId: dispatchIdSchema, attempt: z.string() });
export type AnsweredCall = z.infer<typeof answeredCallSchema>;

/** What tools are given beside their calls' rows, for calls of one unit that share it. It is sent, and not stored. */
export const callContextSchema = z.object({
  /** The session's state as of the calls; what is stored of it where it was too large to come along. */
  state: jsonObjectSchema.optional(),
  userContent: contentSchema.optional(),
  calls: z.array(
    z.object({
      dispatchId: dispatchIdSchema,
      /** What callbacks set for this call alone. */
      stateDelta: jsonObjectSchema.optional(),
      /** Sent with the call's ticket. */
      nonce: z.string().optional(),
    }),
  ),
});
export type CallContext = z.infer<typeof callContextSchema>;

/**
 * All a runner has to store for one session at one moment: it takes effect as a whole or not at all, and only if the
 * locked session row holds this `epoch` and `appendNo - 1` (ARCHITECTURE.md, "Identity").
 */
export const appendUnitSchema = sessionKeySchema.extend({
  invocationId: invocationIdSchema,
  runnerId: z.string(),
  epoch: z.number().int().positive(),
  /** The one its claim is for. */
  segment: z.number().int().nonnegative(),
  appendNo: z.number().int().positive(),
  /** Its run was begun by a guess: the claim may be on its way still, and is waited for. */
  isGuessed: z.literal(true).optional(),
  events: z.array(unitEventSchema),
  records: z.array(stepRecordSchema),
  calls: z.array(callRowSchema),
  /**
   * Of the calls that session-svc is to send as soon as they are stored. Where this is absent, as in units of a runner of a
   * version before, whoever asked sends them by itself, with the tickets of the answer.
   */
  sending: z.array(callContextSchema).optional(),
  /** Calls whose response one of `events` carries. */
  appliedCalls: z.array(dispatchIdSchema),
  /** Those of them that their tool answered: not with an error, nor by what the plane ended them with. */
  answered: z.array(answeredCallSchema).optional(),
  finish: finishSchema.optional(),
});
export type AppendUnit = z.infer<typeof appendUnitSchema>;

/** The answer to a stored unit; a fenced one is answered by the error `append.fenced`. */
export const appendedSchema = z.object({
  /** The session's head after this unit. */
  lastSeq: z.number().int().nonnegative(),
  /** One for each call of the unit that is sent at once: of those that wait for their turn there is none yet. */
  tickets: z.array(ticketSchema),
  cancelRequested: z.boolean(),
});
export type Appended = z.infer<typeof appendedSchema>;
