import { z } from 'zod';
import { ticketSchema } from './tool-call';

/** What a worker asks with for a call that it has: nobody else holds the ticket. */
export const callPassSchema = z.object({ tool: z.string(), ticket: ticketSchema });
export type CallPass = z.infer<typeof callPassSchema>;

/**
 * `rpc.call.<verb>`: what a worker asks for one call, beside `begin` and `clock`. It is refused (`call.forged`,
 * `call.refused`, `call.over`) unless the ticket was issued here, the request is about the call's own app, user and
 * session, and the call has no result yet.
 */
export function callRequestSchema<Request extends z.ZodType>(
  request: Request,
): z.ZodType<CallPass & { request: z.output<Request> }> {
  // Of a schema that is not known here zod does not work out what an object with it gives.
  return callPassSchema.extend({ request }) as unknown as z.ZodType<
    CallPass & { request: z.output<Request> }
  >;
}
