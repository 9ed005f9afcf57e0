export interface WatchedCall {
  readonly dispatchId: string;
  readonly tool: string;
}

/** What the watchdog hears of the thread it watches. */
export type WatchdogNews =
  | { readonly type: 'beat' }
  | { readonly type: 'begun'; readonly id: number; readonly call: WatchedCall; readonly timeoutMs: number }
  | { readonly type: 'over'; readonly id: number };

export interface WatchdogData {
  /** After it a message whose worker is silent goes to another. */
  readonly ackWaitMs: number;
  /** How the process is called in its log, and how that is written. */
  readonly service: string;
  readonly format: 'json' | 'pretty';
  /** Of the journal in which the watchdog reads. */
  readonly memory: SharedArrayBuffer;
}
