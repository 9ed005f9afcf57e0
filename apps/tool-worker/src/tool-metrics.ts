import { type Counter, type Histogram, type Metrics } from '@skein/platform';

/** One attempt of a call, as it ended. */
export interface ToolAttempt {
  readonly tool: string;
  readonly pool: string;
  /** `result`, or the code of the error the model is given. */
  readonly outcome: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly durationMs: number;
}

/** What a tool worker counts. */
export class ToolMetrics {
  readonly #calls: Counter;
  readonly #retries: Counter;
  readonly #duration: Histogram;

  constructor(metrics: Metrics) {
    this.#calls = metrics.counter(
      'skein_tool_calls_total',
      'Attempts of tool calls whose result was sent, by tool, pool and outcome: result, or the code of the error.',
      ['tool', 'pool', 'outcome'],
    );
    this.#retries = metrics.counter(
      'skein_tool_call_retries_total',
      'Those of them that were not the first attempt.',
      ['tool', 'pool'],
    );
    this.#duration = metrics.histogram(
      'skein_tool_call_duration_seconds',
      'How long an attempt took, by tool and pool.',
      ['tool', 'pool'],
    );
  }

  ended({ tool, pool, outcome, attempt, durationMs }: ToolAttempt): void {
    this.#calls.increment({ tool, pool, outcome });
    if (attempt > 1) this.#retries.increment({ tool, pool });
    this.#duration.observe(durationMs / 1_000, { tool, pool });
  }
}
