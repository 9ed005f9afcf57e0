import {
  type Event,
  type FunctionCall,
  getFunctionCalls,
  getFunctionResponses,
  isFinalResponse,
  type Part,
} from '@skein/adk';

/** What came of one message. */
export interface AgentRun {
  /** What the run stored, in order, the user's message left out. */
  readonly events: readonly Event[];
  /** What it showed beside that while it streamed, in order. */
  readonly pieces: readonly Event[];
  /** The text of the last event that ends a turn; empty when it has none. Thoughts are left out. */
  readonly finalText: string;
  /** The session's state after the run, `user:` and `app:` keys included. */
  readonly state: Readonly<Record<string, unknown>>;
  /** The newest version of each artifact of the session, by name. */
  readonly artifacts: Readonly<Record<string, Part>>;
  /** What the run failed with; its last event says the same as `errorCode`. */
  readonly error: Error | undefined;
}

/** The text that a user reads last. */
export function finalTextOf(events: readonly Event[]): string {
  const last = events.findLast((event) => isFinalResponse(event));
  const parts = last?.content?.parts ?? [];
  return parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('');
}

/** The calls that wait for somebody's answer: a question to the user, a tool that takes long. Oldest first. */
export function openCallsOf(events: readonly Event[]): FunctionCall[] {
  const answered = events
    .filter(({ author }) => author === 'user')
    .flatMap(getFunctionResponses)
    .map(({ id }) => id);
  return events.flatMap((event) =>
    getFunctionCalls(event).filter(
      ({ id = '' }) => event.longRunningToolIds?.includes(id) && !answered.includes(id),
    ),
  );
}
