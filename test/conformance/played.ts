import { existsSync, readFileSync } from 'node:fs';
import { type Event } from '@skein/contracts';
import { type ConformanceCase } from './case';
import { normalForm } from './normal-form';

/** What one turn showed. Chunks are joined by the event they belong to, since a network may cut them otherwise. */
export interface PlayedTurn {
  readonly events: readonly Event[];
  readonly streamed?: readonly StreamedText[];
  /** `<code>: <sentence>` when the run failed or was refused. */
  readonly failed?: string;
}

export interface StreamedText {
  readonly id: string;
  readonly text: string;
}

/** One line of the scripted models' log. */
export interface Asked {
  readonly agent: string;
  readonly ordinal: number;
  readonly request: { readonly contents: unknown[]; readonly config: Readonly<Record<string, unknown>> };
}

/** What a case looks like from outside: what each turn showed, what is stored, what the models were asked. */
export interface Played {
  readonly turns: readonly PlayedTurn[];
  readonly stored: readonly Event[];
  readonly state: Readonly<Record<string, unknown>>;
  readonly asked: readonly Asked[];
}

/** Two plays of one case are equal in this form, in whatever processes they were played. */
export function comparable(played: Played, { unordered = false }: ConformanceCase): Played {
  const { turns, stored, state, asked } = played;
  if (!unordered) return normalForm(played);
  return normalForm({
    turns: turns.map((turn) => ({ ...turn, events: byBranch(turn.events) })),
    stored: byBranch(stored),
    state,
    asked: asked.toSorted(
      (one, other) => one.agent.localeCompare(other.agent) || one.ordinal - other.ordinal,
    ),
  });
}

/** Within each invocation; what one branch says stays in its order. */
export function byBranch(events: readonly Event[]): Event[] {
  const invocations = [...new Set(events.map(({ invocationId }) => invocationId))];
  return invocations.flatMap((id) =>
    events
      .filter(({ invocationId }) => invocationId === id)
      .toSorted((one, other) => (one.branch ?? '').localeCompare(other.branch ?? '')),
  );
}

/** The requests of one app, from the log all scripted models write to. */
export function readAsked(logFile: string, appName: string): Asked[] {
  if (!existsSync(logFile)) return [];
  return (
    readFileSync(logFile, 'utf8')
      .split('\n')
      // Its first field; the other lines need not be parsed.
      .filter((line) => line.startsWith(`{"app":${JSON.stringify(appName)},`))
      .map((line) => JSON.parse(line) as Asked)
      .map(({ agent, ordinal, request }) => ({ agent, ordinal, request }))
  );
}
