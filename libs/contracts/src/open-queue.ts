import { z } from 'zod';

const boundsSchema = z.object({
  ackWaitMs: z.number().int().min(100).max(3_600_000),
  maxDeliver: z.number().int().min(1).max(10_000),
});

/**
 * A request to have the consumer of a work queue made, or brought up to date; which one, its subject says. What it would like is
 * what an earlier version was given: session-svc decides.
 */
export const openQueueSchema = boundsSchema;

/**
 * What the queue has: a message that is not settled, and of which nothing is heard for `ackWaitMs`, goes to somebody else; after
 * `maxDeliver` deliveries it is given up. Nothing in an earlier version, which did as it was asked.
 */
export const openedQueueSchema = boundsSchema.nullish();
