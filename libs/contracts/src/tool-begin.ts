import { z } from 'zod';
import { invocationIdSchema } from './ids';
import { ticketSchema } from './tool-call';

/**
 * `rpc.call.begin`: a worker asks before it runs a call that may run once. `message` names the message it holds, which tells a
 * lost worker from a message that came twice. `handler` names this one handling of it: the stream's own count of deliveries
 * begins anew when its server loses what it had of a consumer.
 */
export const beginToolSchema = z.object({
  invocationId: invocationIdSchema,
  tool: z.string(),
  ticket: ticketSchema,
  message: z.string(),
  handler: z.uuid(),
});
export type BeginTool = z.infer<typeof beginToolSchema>;

/**
 * `run`: it is this handler's to run, however often it asks. `lost`: an earlier delivery of the message began it and
 * left no result, so its outcome is unknown. `taken`: another message of the call began it. `over`: nobody waits for it.
 */
export const begunToolSchema = z.object({ verdict: z.enum(['run', 'lost', 'taken', 'over']) });
export type BegunTool = z.infer<typeof begunToolSchema>;

/** The answer of `rpc.call.clock`: the database's clock, in milliseconds since the epoch. Deadlines are by no other. */
export const databaseClockSchema = z.object({ nowMs: z.number() });
export type DatabaseClock = z.infer<typeof databaseClockSchema>;
