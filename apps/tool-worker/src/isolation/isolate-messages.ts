import { toolCallMessageSchema, toolResultMessageSchema, wireErrorSchema } from '@skein/contracts';
import { z } from 'zod';

/*
 * What a worker and a thread or process of its own say to each other. Both are of one build; it is parsed all the same,
 * because code of an author's shares the other end.
 */

/** What one attempt of a call gave. */
export const executedToolSchema = toolResultMessageSchema.pick({ outcome: true, actions: true, retry: true });

/** Which services of the worker a tool may ask, by the methods of their ports. */
export const SERVICE_METHODS = {
  artifacts: [
    'saveArtifact',
    'loadArtifact',
    'listArtifactKeys',
    'deleteArtifact',
    'listVersions',
    'listArtifactVersions',
    'getArtifactVersion',
  ],
  memory: ['addSessionToMemory', 'searchMemory'],
} as const;

export const serviceRequestSchema = z.object({
  type: z.literal('request'),
  id: z.number().int(),
  service: z.enum(['artifacts', 'memory']),
  method: z.string(),
  argument: z.unknown(),
});
export type ServiceRequest = z.infer<typeof serviceRequestSchema>;

/** From inside: about the call that runs there. */
export const callNewsSchema = z.discriminatedUnion('type', [
  /** The first of a call, said at once: its thread or process is not blocked by what an earlier one left running. */
  z.object({ type: z.literal('taken') }),
  /** The tool begins now: its time counts from here. */
  z.object({ type: z.literal('begun') }),
  serviceRequestSchema,
  z.object({ type: z.literal('progress'), value: z.json() }),
  z.object({ type: z.literal('heartbeat') }),
  /** It threw where nobody catches: what comes after it is its end. */
  z.object({ type: z.literal('crashed'), message: z.string() }),
]);
export type CallNews = z.infer<typeof callNewsSchema>;

/** To the inside: about the call that runs there. */
export const callOrderSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('abort'), reason: z.string() }),
  z.object({ type: z.literal('reply'), id: z.number().int(), value: z.unknown() }),
  z.object({ type: z.literal('refusal'), id: z.number().int(), error: wireErrorSchema }),
]);
export type CallOrder = z.infer<typeof callOrderSchema>;

const logLineSchema = z.object({
  type: z.literal('log'),
  level: z.enum(['debug', 'info', 'warn', 'error']),
  fields: z.record(z.string(), z.unknown()),
  message: z.string(),
});
export type LogLine = z.infer<typeof logLineSchema>;

/** From inside of a process, which tells its calls apart by their numbers. */
export const isolateNewsSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  /** Of a thread that was told to: its toolsets hold nothing any more. */
  z.object({ type: z.literal('closed') }),
  logLineSchema,
  z.object({ type: z.literal('news'), number: z.number().int(), news: callNewsSchema }),
  /** `isWorn`: it holds so much memory that the next call would have too little. */
  z.object({
    type: z.literal('done'),
    number: z.number().int(),
    executed: executedToolSchema,
    isWorn: z.boolean(),
  }),
]);
export type IsolateNews = z.infer<typeof isolateNewsSchema>;

/** What a thread or process is told once, when it starts. */
const isolateSettingsSchema = z.object({
  agentsDir: z.string(),
  adkCompat: z.boolean(),
  cacheDir: z.string().optional(),
  /** The keys of model providers; never in the environment of a child, which the programs it starts would inherit. */
  environment: z.record(z.string(), z.string()),
  resultLimitBytes: z.number().int(),
  memoryLimitBytes: z.number().int(),
});
export type IsolateSettings = z.infer<typeof isolateSettingsSchema>;

/** To a process; a thread has the same as its data and its task. */
export const isolateOrderSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('settings'), settings: isolateSettingsSchema }),
  z.object({ type: z.literal('call'), number: z.number().int(), message: toolCallMessageSchema }),
  z.object({ type: z.literal('order'), number: z.number().int(), order: callOrderSchema }),
  /** To end, once its toolsets hold nothing any more; it gets no other call. */
  z.object({ type: z.literal('leave') }),
]);
export type IsolateOrder = z.infer<typeof isolateOrderSchema>;
