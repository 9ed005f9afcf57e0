import { z } from 'zod';
import { contentSchema } from './content';
import { jsonObjectSchema } from './json';

/** A summary that stands for the events between two times, both included, in float seconds (B8). */
export const eventCompactionSchema = z.looseObject({
  startTimestamp: z.number(),
  endTimestamp: z.number(),
  compactedContent: contentSchema,
});
export type EventCompaction = z.infer<typeof eventCompactionSchema>;

/** What an event does beside what it says. The four maps are present on the wire even when empty. */
export const eventActionsSchema = z.looseObject({
  stateDelta: jsonObjectSchema.default({}),
  artifactDelta: z.record(z.string(), z.number()).default({}),
  requestedAuthConfigs: jsonObjectSchema.default({}),
  requestedToolConfirmations: jsonObjectSchema.default({}),
  skipSummarization: z.boolean().optional(),
  transferToAgent: z.string().optional(),
  escalate: z.boolean().optional(),
  /** Where an agent of a resumable app stands (B54). */
  agentState: jsonObjectSchema.optional(),
  /** The agent of a resumable app is done; a resume passes it by (B54). */
  endOfAgent: z.boolean().optional(),
  /** Everything from the named invocation up to this event is taken back (B1, B55). */
  rewindBeforeInvocationId: z.string().optional(),
  compaction: eventCompactionSchema.optional(),
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
  isolationScope: z.string().optional(),
});
export type Event = z.infer<typeof eventSchema>;
