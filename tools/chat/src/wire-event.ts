import { z } from 'zod';

const functionCall = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  args: z.unknown(),
});

const part = z.looseObject({
  text: z.string().optional(),
  thought: z.boolean().optional(),
  functionCall: functionCall.optional(),
  functionResponse: z
    .looseObject({ id: z.string().optional(), name: z.string().optional(), response: z.unknown() })
    .optional(),
});

const actions = z.looseObject({
  artifactDelta: z.record(z.string(), z.number()).optional(),
  requestedToolConfirmations: z.record(z.string(), z.unknown()).optional(),
  requestedAuthConfigs: z.record(z.string(), z.unknown()).optional(),
  transferToAgent: z.string().optional(),
  rewindBeforeInvocationId: z.string().optional(),
});

const toolRun = z.looseObject({
  callId: z.string(),
  worker: z.string().optional(),
  pid: z.number().optional(),
  durationMs: z.number().optional(),
});

/** What the chat reads of an ADK event; the rest passes unread, so that a newer server does no harm. */
export const wireEvent = z.looseObject({
  id: z.string().optional(),
  invocationId: z.string().optional(),
  author: z.string().optional(),
  partial: z.boolean().optional(),
  content: z.looseObject({ parts: z.array(part).optional() }).optional(),
  actions: actions.optional(),
  longRunningToolIds: z.array(z.string()).optional(),
  errorCode: z.string().optional(),
  errorMessage: z.string().optional(),
  customMetadata: z.looseObject({ 'skein.tools': z.array(toolRun).optional() }).optional(),
});

export const wireSession = z.looseObject({ id: z.string(), events: z.array(wireEvent).default([]) });

/** One frame of /run_sse: an event, the error that ends the stream, or that the pieces shown of an event are void. */
export const wireFrame = z.union([
  z.looseObject({ error: z.string() }),
  z.looseObject({ reset: z.string() }),
  wireEvent,
]);

export type WireCall = z.infer<typeof functionCall>;
export type WirePart = z.infer<typeof part>;
export type ToolRun = z.infer<typeof toolRun>;
export type WireEvent = z.infer<typeof wireEvent>;
export type WireSession = z.infer<typeof wireSession>;
export type WireFrame = z.infer<typeof wireFrame>;

/** Whether a frame is the error that ends its stream. */
export function isFailure(frame: WireFrame): frame is WireFrame & { error: string } {
  return 'error' in frame && typeof frame.error === 'string';
}

/** Whether a frame tells that the pieces shown of the event it names are void. */
export function isReset(frame: WireFrame): frame is WireFrame & { reset: string } {
  return 'reset' in frame && typeof frame.reset === 'string';
}
