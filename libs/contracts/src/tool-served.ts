import { z } from 'zod';
import { callPassSchema } from './call-request';

/** `rpc.call.served`: a worker asks about a call whose tool it does not have, before it says that nobody has it. */
export const askServedSchema = callPassSchema.extend({ pool: z.string() });
export type AskServed = z.infer<typeof askServedSchema>;

/** Whether some live worker of the pool names the tool as its own: then the call is handed back until that one has it. */
export const toolServedSchema = z.object({ isServed: z.boolean() });
export type ToolServed = z.infer<typeof toolServedSchema>;
