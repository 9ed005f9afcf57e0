import { z } from 'zod';
import { contentSchema } from './content';
import { jsonObjectSchema } from './json';

/** How one run behaves: what is absent is as the app says, else as ADK has it. */
export const runConfigSchema = z.looseObject({
  /** `none` when absent. */
  streamingMode: z.enum(['none', 'sse']).optional(),
  /** Model calls one invocation may make, over all its agents; 0 or less is no limit (B22). */
  maxLlmCalls: z.number().int().optional(),
  /** Goes on every event of the run. */
  customMetadata: jsonObjectSchema.optional(),
  /** Files of the message are kept as artifacts, with a note in their place. */
  saveInputBlobsAsArtifacts: z.boolean().optional(),
  /** What other agents thought is shown to the model too (B4). */
  includeThoughtsFromOtherAgents: z.boolean().optional(),
  /** Shown to the model before the user's message, and never stored (B12). */
  modelInputContext: z.array(contentSchema).optional(),
});
export type RunConfig = z.infer<typeof runConfigSchema>;
