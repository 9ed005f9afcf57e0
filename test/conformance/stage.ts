import { type Content, type Event, type Session } from '@skein/contracts';
import { type RunOptions } from './case';
import { type Asked } from './played';

export interface RunInput extends RunOptions {
  readonly newMessage?: Content;
  readonly invocationId?: string;
}

/** What a run showed: its events, the chunks before them, and why it failed if it did. */
export interface ShownRun {
  readonly events: readonly Event[];
  readonly chunks: readonly Event[];
  readonly failed?: string;
}

/** Where a case is played: in this process, or over all services. One app, one user. */
export interface Stage {
  createSession(sessionId: string, state: Readonly<Record<string, unknown>>): Promise<void>;
  getSession(sessionId: string): Promise<Session>;
  run(sessionId: string, input: RunInput): Promise<ShownRun>;
  rewind(sessionId: string, invocationId: string): Promise<void>;
  patch(sessionId: string, stateDelta: Readonly<Record<string, unknown>>): Promise<void>;
  addToMemory(sessionId: string): Promise<void>;
  /** What the models of the app were asked, in order. */
  asked(): readonly Asked[];
}
