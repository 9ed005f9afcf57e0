import { type IsolateSettings } from './isolate-messages';

/** What a thread is started with. */
export interface ThreadData {
  readonly settings: IsolateSettings;
  /** The channel on which all of them are told to close what their toolsets hold. */
  readonly leaving: string;
  /** After so long without a call they close, unasked, what their toolsets open again by themselves. */
  readonly restMs: number;
}
