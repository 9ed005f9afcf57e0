import { z } from 'zod';

/** Both ids are shorter by far; whoever hears a hold keeps its lane. */
const MAX_ID_LENGTH = 128;

/**
 * `announce.model-hold`: broadcast to every runner and tool worker when a provider asks one of them for fewer requests. It may
 * be lost: then each hears it from the provider.
 */
export const modelHoldSchema = z.object({
  /** Of the process that heard it, a runner or a tool worker: an id of its own, so that it leaves out what it told. */
  runnerId: z.string().max(MAX_ID_LENGTH),
  /** A hash of provider, address, model and account: an address may hold a password, an account is a key. */
  lane: z.string().max(MAX_ID_LENGTH),
  /** From now on, so that no two clocks are compared. */
  holdMs: z.number().int().positive(),
  /** Requests that one process may have under way afterwards; none: as many as there are. */
  limit: z.number().int().positive().optional(),
});
export type ModelHold = z.infer<typeof modelHoldSchema>;
