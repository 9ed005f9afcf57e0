import { z } from 'zod';

/** A message of ADVISORIES, as the NATS server writes it: a message of a work queue was given up, or refused for good. */
export const advisorySchema = z.object({
  type: z.string(),
  stream: z.string(),
  consumer: z.string(),
  stream_seq: z.number().int().positive(),
  deliveries: z.number().int().nonnegative(),
  /** What who refused it said. */
  reason: z.string().optional(),
});
export type Advisory = z.infer<typeof advisorySchema>;
