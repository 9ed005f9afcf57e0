import { z } from 'zod';
import { eventSchema } from './event';
import { sessionKeySchema } from './ids';

/** An event with its place in its session. `seq` is dense from 1 within one creation of the session. */
export const storedEventSchema = z.object({
  seq: z.number().int().positive(),
  stepKey: z.string().optional(),
  /** Of what the step asked for; for the run that goes on from it alone. */
  hash: z.string().optional(),
  event: eventSchema,
});
export type StoredEvent = z.infer<typeof storedEventSchema>;

/** A message of EVENTS; its Nats-Msg-Id is `<sessionUid>.<seq>`. */
export const eventMessageSchema = storedEventSchema.extend({ sessionUid: z.string() });
export type EventMessage = z.infer<typeof eventMessageSchema>;

/** `rpc.session.events`: a page of stored events above `afterSeq`, in order, bounded in bytes by the server. */
export const readEventsSchema = sessionKeySchema.extend({
  afterSeq: z.number().int().nonnegative(),
  untilSeq: z.number().int().positive().optional(),
});
export type ReadEvents = z.infer<typeof readEventsSchema>;

/** `lastSeq` is the head when the page was read; a page that ends below it is followed by another. */
export const eventPageSchema = z.object({
  sessionUid: z.string(),
  lastSeq: z.number().int().nonnegative(),
  events: z.array(storedEventSchema),
});
export type EventPage = z.infer<typeof eventPageSchema>;
