import { z } from 'zod';
import { handoverSchema } from './handover';

/** `announce.runner`: broadcast to every session-svc at start, on change and every second. Credit 0 = give me nothing. */
export const runnerAnnouncementSchema = z.object({
  runnerId: z.string(),
  credit: z.number().int().nonnegative(),
  /** Pointers wait here for a place: those of runs that end are theirs. */
  isAwaited: z.boolean().optional(),
  /** It knows what a guess is; one of a version before would refuse it. */
  takesGuesses: z.boolean().optional(),
});
export type RunnerAnnouncement = z.infer<typeof runnerAnnouncementSchema>;

/** A message of RUNS: a pointer to a queued invocation. Whoever takes it claims the one whose turn it is. */
export const runPointerSchema = z.object({ invocationId: z.string() });
export type RunPointer = z.infer<typeof runPointerSchema>;

/** `rpc.session.claim`: idempotent by `claimId`; takes only the lowest queue number of its session. */
export const claimSchema = runPointerSchema.extend({
  runnerId: z.string(),
  claimId: z.string(),
  /** Whichever waits for a runner and has its turn may be answered; of earlier runners only the one that is named. */
  inTurn: z.boolean().optional(),
});
export type Claim = z.infer<typeof claimSchema>;

/** No handover: the invocation is running, done, or not the next of its session. */
export const claimedSchema = z.object({ handover: handoverSchema.optional() });
export type Claimed = z.infer<typeof claimedSchema>;

/** `rpc.session.renew`: every lease of one runner in one statement. */
export const renewSchema = z.object({
  runnerId: z.string(),
  leases: z.array(z.object({ invocationId: z.string(), epoch: z.number().int().positive() })),
});
export type Renew = z.infer<typeof renewSchema>;

/** `held` are the invocations still this runner's; what is missing was lost and must stop. */
export const renewedSchema = z.object({ held: z.array(z.string()), cancelRequested: z.array(z.string()) });
export type Renewed = z.infer<typeof renewedSchema>;

/** `rpc.session.release`: gives an invocation back before its end; it is queued again and handed to another runner. */
export const releaseSchema = z.object({
  runnerId: z.string(),
  invocationId: z.string(),
  epoch: z.number().int().positive(),
});
export type Release = z.infer<typeof releaseSchema>;
