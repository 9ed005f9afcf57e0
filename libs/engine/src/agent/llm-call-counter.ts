/** More model calls in one invocation than its run config allows. */
export class LlmCallsLimitExceededError extends Error {
  constructor(limit: number) {
    super(`Max number of llm calls limit of \`${limit}\` exceeded`);
    this.name = 'LlmCallsLimitExceededError';
  }
}

const DEFAULT_LIMIT = 500;

/** Counts the model calls of one invocation, over all its agents: `limit` calls are allowed, 0 or less is no limit (B22). */
export class LlmCallCounter {
  #calls = 0;

  constructor(private readonly limit = DEFAULT_LIMIT) {}

  count(): void {
    this.#calls += 1;
    if (this.limit > 0 && this.#calls > this.limit) throw new LlmCallsLimitExceededError(this.limit);
  }
}
