import { type RunOrEvents } from './show-events';

/** A matcher is there where what is looked at is a run, events or an event, or is settled with one. */
type Matcher<R, T, Args extends readonly unknown[]> = T extends RunOrEvents | Promise<RunOrEvents>
  ? (...args: Args) => R
  : never;

type Json = Readonly<Record<string, unknown>>;

declare global {
  // Where @types/jest and Vitest both look for the matchers of others.
  namespace jest {
    interface Matchers<R, T> {
      toHaveToolCall: Matcher<R, T, [name: string, args?: Json]>;
      toHaveToolResponse: Matcher<R, T, [name: string, response?: Json]>;
      toHaveFinalText: Matcher<R, T, [expected: unknown]>;
      toHaveStateDelta: Matcher<R, T, [delta: Json]>;
      toHaveSavedArtifact: Matcher<R, T, [name: string, version?: number]>;
      toHaveTransferredTo: Matcher<R, T, [agentName: string]>;
      toHaveAskedConfirmation: Matcher<R, T, [name?: string]>;
      toHaveErrorCode: Matcher<R, T, [code: string]>;
    }
  }
}

// Where @jest/globals looks.
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T> {
    toHaveToolCall: Matcher<R, T, [name: string, args?: Json]>;
    toHaveToolResponse: Matcher<R, T, [name: string, response?: Json]>;
    toHaveFinalText: Matcher<R, T, [expected: unknown]>;
    toHaveStateDelta: Matcher<R, T, [delta: Json]>;
    toHaveSavedArtifact: Matcher<R, T, [name: string, version?: number]>;
    toHaveTransferredTo: Matcher<R, T, [agentName: string]>;
    toHaveAskedConfirmation: Matcher<R, T, [name?: string]>;
    toHaveErrorCode: Matcher<R, T, [code: string]>;
  }
}
