import { z } from 'zod';

/** A request to have the consumer of a work queue made, or brought up to this; which one, its subject says. */
export const openQueueSchema = z.object({
  ackWaitMs: z.number().int().min(100).max(3_600_000),
  maxDeliver: z.number().int().min(1).max(10_000),
});
export type OpenQueue = z.infer<typeof openQueueSchema>;
