import { type ToolCallMessage } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import { type CallOrder, type IsolateSettings } from './isolate-messages';

/** A call for a thread or a process, and who hears of it. */
export interface IsolatedJob {
  readonly message: ToolCallMessage;
  /** Told once the call is given to a thread or process, with the way to send it what comes meanwhile. */
  readonly given: (order: (order: CallOrder) => void) => void;
  /** Told what comes from inside, which an author's code may have written. */
  readonly heard: (news: unknown) => void;
  /** Ends who runs it at once; one that waits is not begun. */
  readonly kill: AbortSignal;
}

export interface IsolatePoolOptions {
  readonly settings: IsolateSettings;
  /** How many may be at work at the same time. */
  readonly size: number;
  readonly logger: Logger;
}

/** How many are kept ready at least: a second one runs the next call while a killed one is replaced. */
export const WARM = 2;
/** Those above that end when they had nothing to do for so long. */
export const IDLE_MS = 60_000;
/** What one that is to end has for closing what its toolsets hold. */
export const CLOSE_MS = 1_500;

/** Warm threads or processes of one memory limit, each with one call at a time. */
export abstract class IsolatePool {
  /** One that is free takes its call within a millisecond: who has not after so long is blocked. */
  abstract readonly patienceSeconds: number;

  /**
   * Runs a call in one that is free, or as soon as one is. Answers what the inside sent as its result; rejects with a
   * `tool.*` error of how the thread or process ended when that was before the call was done.
   */
  abstract run(job: IsolatedJob): Promise<unknown>;

  /** Ends them all, whatever they do; those without a call close their toolsets before. */
  abstract close(): Promise<void>;
}
