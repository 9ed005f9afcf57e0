import { appendFileSync } from 'node:fs';
import { type ToolContext } from '@skein/adk';

/**
 * What a tool did in the world, one JSON line each: whole lines of one write each, so that processes that append at the
 * same time, and are killed, leave no half of one.
 */
export function note(tool: string, context: ToolContext, phase: 'begin' | 'end'): void {
  const file = process.env.EFFECTS_FILE;
  if (!file) return;
  const { idempotencyKey, sessionId, invocationId, functionCallId } = context;
  const line = { tool, idempotencyKey, functionCallId, sessionId, invocationId, pid: process.pid, phase };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}
