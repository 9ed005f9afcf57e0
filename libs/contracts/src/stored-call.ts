import { z } from 'zod';
import { callPassSchema } from './call-request';
import { invocationIdSchema } from './ids';

/** Less than a worker waits for the answer, and longer than nearly any statement takes. */
export const TOLD_STORED_WITHIN_MS = 900;

/** `stored.<process>`, and `rpc.call.stored` where that one does not say: may a call begin that left while it was being stored? */
export const askStoredSchema = callPassSchema.extend({ invocationId: invocationIdSchema });
export type AskStored = z.infer<typeof askStoredSchema>;

/**
 * `stored`: under this ticket, so begin it. `refused`: it never will be, or waits for its turn and comes again; this message is
 * nobody's. `unknown`: who was asked cannot tell.
 */
export const storedVerdictSchema = z.object({ verdict: z.enum(['stored', 'refused', 'unknown']) });
export type StoredVerdict = z.infer<typeof storedVerdictSchema>['verdict'];
