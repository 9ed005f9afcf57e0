import { existsSync, readFileSync } from 'node:fs';

/** A line a tool wrote: that it began, or that its effect is there. */
export interface Effect {
  readonly tool: string;
  readonly idempotencyKey: string;
  readonly functionCallId: string;
  readonly sessionId: string;
  readonly invocationId: string;
  readonly pid: number;
  /** The machine or container it ran in. */
  readonly host: string;
  readonly phase: 'begin' | 'end';
}

/** A line of the scripted models' log; the order of lines is that of the requests, over all processes. */
export interface Asked {
  readonly app: string;
  readonly sessionId: string;
  readonly invocationId: string;
  readonly agent: string;
  readonly ordinal: number;
  readonly pid: number;
  /** The machine or container it was asked in. */
  readonly host: string;
  readonly request: unknown;
}

export function readEffects(file: string): Effect[] {
  return readLines(file) as Effect[]; // Written by the agents of the chaos tests.
}

export function readAsked(file: string): Asked[] {
  return readLines(file) as Asked[]; // The scripted model's own format.
}

/** The last line may be on its way. */
function readLines(file: string): unknown[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown);
}
