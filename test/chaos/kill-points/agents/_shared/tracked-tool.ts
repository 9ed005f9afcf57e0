import { setTimeout as pause } from 'node:timers/promises';
import { type Context, FunctionTool } from '@skein/adk';
import { z } from 'zod';
import { noteEffect } from './note-effect';

interface TrackedOptions {
  readonly sideEffect?: 'idempotent' | 'once';
  readonly readOnly?: boolean;
  readonly requireConfirmation?: boolean;
  readonly timeoutMs?: number;
  /** What it does to state and artifacts; a counter by default. */
  readonly act?: (context: Context) => unknown;
}

const parameters = z.object({ n: z.number().optional() });

/** Long enough that a kill can fall into it. */
const WORKING_MS = 10;

/** A tool that notes each beginning and end of its runs outside of Skein, and counts itself in the session's state. */
export function trackedTool(name: string, options: TrackedOptions = {}): FunctionTool<typeof parameters> {
  const { sideEffect = 'idempotent', readOnly = false, requireConfirmation = false } = options;
  const { act = countIn(`${name}_runs`) } = options;
  return new FunctionTool({
    name,
    description: `Does ${name}.`,
    parameters,
    sideEffect,
    readOnly,
    requireConfirmation,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
    // However often its workers are killed, it is not given up: that would be another end than without the kills.
    ...(sideEffect === 'once' ? {} : { retry: { maxAttempts: 50 } }),
    execute: async ({ n = 0 }, context) => {
      const { sessionId, idempotencyKey = '' } = context;
      noteEffect({ phase: 'begin', tool: name, sideEffect, readOnly, sessionId, idempotencyKey });
      await pause(WORKING_MS);
      const made = await act(context);
      noteEffect({ phase: 'end', tool: name, sideEffect, readOnly, sessionId, idempotencyKey });
      return { n, made };
    },
  });
}

/** Adds one to a key of the session's state: what is applied twice shows. */
function countIn(key: string): (context: Context) => number {
  return ({ state }) => {
    const count = (state.get<number>(key) ?? 0) + 1;
    state.set(key, count);
    return count;
  };
}
