import { type Content } from '@skein/contracts';

type State = Readonly<Record<string, unknown>>;

/** What a run takes along beside its message, as far as the REST surface has it. */
export interface RunOptions {
  /** Shows chunks: `/run_sse` with `streaming`. */
  readonly streaming?: boolean;
  readonly stateDelta?: State;
  readonly customMetadata?: State;
}

/** A function response of the user's. */
export interface CallAnswer {
  /** The name of the call; of several the latest, or that of this place in the session. */
  readonly call: string;
  readonly nth?: number;
  readonly response: State;
}

/** One thing done with the session. The first four run the agent, and each of them is a turn. */
export type Step =
  | (RunOptions & { readonly say: string | Content })
  | (RunOptions & { readonly answer: CallAnswer | readonly CallAnswer[] })
  /** Goes on without a message with the invocation of this place in the session. */
  | (RunOptions & { readonly resume: number })
  /** Takes back the invocation of this place in the session, and all after it. */
  | { readonly rewind: number }
  | { readonly patch: State }
  /** The steps that follow are of a new session of the same user. */
  | { readonly newSession: State }
  | { readonly addToMemory: true };

/** The facts that decide; lines are those of `transcript.ts`. What is left out here is held by the snapshot alone. */
export interface Expectation {
  /** A line for each event shown, turn by turn. */
  readonly turns: readonly (readonly string[])[];
  /** Of the last session, all scopes; not looked at when absent. */
  readonly state?: State;
  /** A line for each content of each request a model received. */
  readonly asked?: readonly (readonly string[])[];
  /** The system instruction of each request. */
  readonly instructions?: readonly string[];
  /** A line for each event the last session holds. */
  readonly stored?: readonly string[];
}

/** One agent as its author writes it, and what its user does. */
export interface ConformanceCase {
  /** The app's folder. */
  readonly name: string;
  /** What the case shows, and the rules that say so. */
  readonly says: string;
  /** The agent file. */
  readonly source: string;
  /** State the first session is created with. */
  readonly state?: State;
  readonly steps: readonly Step[];
  /** Agents that run side by side: the order of their events, and of their requests, is not compared. */
  readonly unordered?: boolean;
  readonly expect: Expectation;
}
