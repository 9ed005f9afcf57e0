import { appendFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type ToolContext } from '@skein/adk';

/**
 * What a tool did in the world, one JSON line each: whole lines of one write each, so that processes that append at the
 * same time, and are killed, leave no half of one.
 */
export function note(tool: string, context: ToolContext, phase: 'begin' | 'end'): void {
  const file = process.env.EFFECTS_FILE;
  if (!file) return;
  const { idempotencyKey, sessionId, invocationId, functionCallId } = context;
  const { pid } = process;
  const call = { tool, idempotencyKey, functionCallId, sessionId, invocationId };
  appendFileSync(file, `${JSON.stringify({ ...call, pid, host: hostname(), phase })}\n`);
}
