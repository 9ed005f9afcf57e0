import { z } from 'zod';
import { jsonObjectSchema } from './json';

/** How one run behaves; the fields of ADK's RunConfig that travel with an input. */
export const runConfigSchema = z.looseObject({
  streamingMode: z.enum(['none', 'sse']).default('none'),
  maxLlmCalls: z.number().int().default(500),
  customMetadata: jsonObjectSchema.optional(),
});
export type RunConfig = z.infer<typeof runConfigSchema>;
