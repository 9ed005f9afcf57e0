/** How long a model is waited for, and how often it is asked. */
export interface RetryPolicy {
  /** Requests of one call in all, the first one included. */
  readonly maxAttempts: number;
  /** Before the second request, unless the provider says when; doubled before each further one, and spread. */
  readonly firstDelayMs: number;
  /** What one call waits between its requests in all: a provider that wants longer has failed it. */
  readonly maxWaitMs: number;
  /** Until a streamed answer begins: the head of the response. */
  readonly connectTimeoutMs: number;
  /** Without a byte for so long, a streamed answer is given up: a connection may die without telling. */
  readonly idleTimeoutMs: number;
  /** One call, with all its requests and waits; nothing else bounds an answer that is not streamed. */
  readonly totalTimeoutMs: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  maxAttempts: 3,
  firstDelayMs: 500,
  maxWaitMs: 120_000,
  // A model may think before it says that it began.
  connectTimeoutMs: 120_000,
  idleTimeoutMs: 120_000,
  totalTimeoutMs: 600_000,
};

export type TimeoutReason = 'connect' | 'idle' | 'total';

/** What was waited for did not come in time. */
export class ModelTimeout extends Error {
  constructor(
    readonly reason: TimeoutReason,
    limitMs: number,
  ) {
    super(
      reason === 'total'
        ? `The model's answer was not whole after ${limitMs} ms.`
        : `The model sent nothing for ${limitMs} ms.`,
    );
    this.name = 'ModelTimeout';
  }
}
