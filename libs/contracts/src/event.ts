import { z } from 'zod';
import { contentSchema } from './content';
import { jsonObjectSchema } from './json';

/** What an event does beside what it says. The four maps are present on the wire even when empty. */
export const eventActionsSchema = z.looseObject({
  stateDelta: jsonObjectSchema.default({}),
  artifactDelta: z.record(z.string(), z.number()).default({}),
  requestedAuthConfigs: jsonObjectSchema.default({}),
  requestedToolConfirmations: jsonObjectSchema.default({}),
  skipSummarization: z.boolean().optional(),
  transferToAgent: z.string().optional(),
  escalate: z.boolean().optional(),
});
export type EventActions = z.infer<typeof eventActionsSchema>;

/** Token counts of one model answer, in google-genai's names. */
export const usageMetadataSchema = z.looseObject({
  promptTokenCount: z.number().optional(),
  candidatesTokenCount: z.number().optional(),
  totalTokenCount: z.number().optional(),
});
export type UsageMetadata = z.infer<typeof usageMetadataSchema>;

/**
 * One event of a session, as ADK's REST surface shows it: camelCase, `timestamp` in float seconds.
 * Fields this version does not know are kept, so that a newer neighbour loses nothing.
 */
export const eventSchema = z.looseObject({
  id: z.string(),
  timestamp: z.number(),
  invocationId: z.string(),
  author: z.string(),
  branch: z.string().optional(),
  content: contentSchema.optional(),
  actions: eventActionsSchema,
  longRunningToolIds: z.array(z.string()).optional(),
  partial: z.boolean().optional(),
  turnComplete: z.boolean().optional(),
  finishReason: z.string().optional(),
  errorCode: z.string().optional(),
  errorMessage: z.string().optional(),
  interrupted: z.boolean().optional(),
  customMetadata: jsonObjectSchema.optional(),
  usageMetadata: usageMetadataSchema.optional(),
  groundingMetadata: jsonObjectSchema.optional(),
  citationMetadata: jsonObjectSchema.optional(),
  modelVersion: z.string().optional(),
});
export type Event = z.infer<typeof eventSchema>;
