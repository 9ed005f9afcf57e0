/** Why nothing, or nothing more, can be imported from a source. Its message is for whoever named the source. */
export class SourceError extends Error {}

/** Why one row cannot be imported, without naming the row; the rest of the source can. */
export class RowProblem extends Error {}

/** Rows of each table; `orphanEvents` are those of sessions that are not there, which no ADK shows either. */
export interface SourceCounts {
  readonly sessions: number;
  /** Of the sessions that are there. */
  readonly events: number;
  readonly orphanEvents: number;
  readonly appStates: number;
  readonly userStates: number;
}

export interface SourceEvent {
  readonly id: string;
  readonly invocationId: string;
  /** The column, in seconds since 1970 with its fraction; NaN when it cannot be read. */
  readonly seconds: number;
  /** `event_data` as it stands there; absent when it is null or longer than `MAX_EVENT_BYTES`. */
  readonly data: string | undefined;
  readonly bytes: number;
}

export interface SourceSession {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly createdSeconds: number;
  readonly updatedSeconds: number;
  readonly eventCount: number;
  /** JSON. */
  readonly readState: () => Promise<string | undefined>;
  /** In the order ADK gives them, in pieces of at most `PAGE_BYTES` or one event; from the beginning each time. */
  readonly readEvents: () => AsyncIterable<readonly SourceEvent[]>;
}

/** A row of `app_states`, or of `user_states` with its user. */
export interface SourceState {
  readonly appName: string;
  readonly userId: string | undefined;
  readonly updatedSeconds: number;
  /** JSON. */
  readonly state: string | undefined;
}

/** Another ADK's session database, as it was when it was opened. Sessions come in the order of their keys, by bytes. */
export interface SessionSource {
  /** What names it in messages and in Skein's note of where a session is from; without user and password. */
  readonly name: string;
  /** All apps there are, whichever are read. */
  readonly appNames: () => Promise<string[]>;
  readonly count: () => Promise<SourceCounts>;
  /** Its events are read before the next session is asked for. */
  readonly sessions: () => AsyncIterable<SourceSession>;
  readonly states: () => AsyncIterable<SourceState>;
  /**
   * Rejects when it was written to since, where that is not kept from what was read. What was read before it resolves is of
   * one moment; cheap enough to ask for each session.
   */
  readonly assertUnchanged: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What models take inline is below this; several copies of an event are in memory while it is converted. */
export const MAX_EVENT_BYTES = 32 * 1024 * 1024;
/** Bounds what is held of a session, whatever its length. */
export const PAGE_BYTES = 4 * 1024 * 1024;
export const PAGE_ROWS = 200;

/** adk-python keeps seconds, adk-js milliseconds; 1e11 is the year 5138 as the one and 1973 as the other. */
export function toSeconds(value: number): number {
  return Math.abs(value) > 1e11 ? value / 1000 : value;
}
