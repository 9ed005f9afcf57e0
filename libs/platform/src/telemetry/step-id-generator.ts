import { context } from '@opentelemetry/api';
import { tracing } from '@opentelemetry/sdk-node';
import { spanIdOf, TRACE_STEP } from '@skein/contracts';

/** Spans of steps have ids of their own, whoever makes them; all others have random ones. */
export class StepIdGenerator implements tracing.IdGenerator {
  readonly #random = new tracing.RandomIdGenerator();

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    const step = context.active().getValue(TRACE_STEP);
    return typeof step === 'string' ? spanIdOf(step) : this.#random.generateSpanId();
  }
}
