import { z } from 'zod';
import { contentSchema } from './content';
import { sessionKeySchema } from './ids';

/** One thing that was said in an earlier session. */
export const memoryEntrySchema = z.object({
  content: contentSchema,
  author: z.string().optional(),
  /** ISO 8601, of when it was said. */
  timestamp: z.string().optional(),
});
export type MemoryEntry = z.infer<typeof memoryEntrySchema>;

/** As much of an event as memory keeps. */
export const rememberedEventSchema = z.object({
  id: z.string(),
  author: z.string(),
  content: contentSchema.optional(),
  /** Float seconds. */
  timestamp: z.number(),
});
export type RememberedEvent = z.infer<typeof rememberedEventSchema>;

/**
 * `rpc.memory.add`: takes a session's events into its user's memory, in the place of those it took of that session
 * before. Without `events` they are the stored ones.
 */
export const addToMemorySchema = sessionKeySchema.extend({
  events: z.array(rememberedEventSchema).optional(),
});
export type AddToMemory = z.infer<typeof addToMemorySchema>;

/** `rpc.memory.search`: what shares a word with the query (B61), the oldest first. */
export const searchMemorySchema = sessionKeySchema.omit({ sessionId: true }).extend({ query: z.string() });
export type SearchMemory = z.infer<typeof searchMemorySchema>;

export const foundMemoriesSchema = z.object({ memories: z.array(memoryEntrySchema) });
export type FoundMemories = z.infer<typeof foundMemoriesSchema>;
