/** @google/adk's names of the streaming modes; a run config takes the plain texts too. */
export const StreamingMode = { NONE: 'none', SSE: 'sse' } as const;

export type StreamingMode = (typeof StreamingMode)[keyof typeof StreamingMode];
