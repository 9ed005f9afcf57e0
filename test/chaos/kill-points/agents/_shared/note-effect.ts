import { appendFileSync } from 'node:fs';

/** A line of the file EFFECTS_FILE: what happened outside of anything Skein stores. */
export type Effect = { readonly pid: number; readonly at: number; readonly sessionId: string } & (
  | {
      readonly phase: 'begin' | 'end';
      readonly tool: string;
      readonly sideEffect: 'idempotent' | 'once';
      /** It says of itself that it changes nothing: it may run before its call is stored, and once more after. */
      readonly readOnly?: boolean;
      readonly idempotencyKey: string;
    }
  | { readonly phase: 'ask'; readonly agent: string; readonly ordinal: number; readonly invocationId: string }
);

type Noted<T> = T extends Effect ? Omit<T, 'pid' | 'at'> : never;

/** Appends a line, with this process and the machine's clock in milliseconds. */
export function noteEffect(effect: Noted<Effect>): void {
  const { EFFECTS_FILE: file } = process.env;
  if (file) appendFileSync(file, `${JSON.stringify({ ...effect, pid: process.pid, at: Date.now() })}\n`);
}
