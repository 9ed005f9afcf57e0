import { z } from 'zod';
import { contentSchema } from './content';
import { appNameSchema, sessionIdSchema, userIdSchema } from './ids';
import { jsonObjectSchema } from './json';
import { onBusySchema } from './submit';

/** Body of `POST /run` and `POST /run_sse`: ADK's fields, then ours. Unknown fields are ignored as ADK ignores them. */
export const runAgentRequestSchema = z.object({
  appName: appNameSchema,
  userId: userIdSchema,
  sessionId: sessionIdSchema,
  newMessage: contentSchema.optional(),
  streaming: z.boolean().default(false),
  stateDelta: jsonObjectSchema.optional(),
  functionCallEventId: z.string().optional(),
  invocationId: z.string().optional(),
  customMetadata: jsonObjectSchema.optional(),
  onBusy: onBusySchema.default('enqueue'),
  onDisconnect: z.enum(['continue', 'cancel']).default('continue'),
  autoCreateSession: z.boolean().default(false),
});
export type RunAgentRequest = z.infer<typeof runAgentRequestSchema>;
