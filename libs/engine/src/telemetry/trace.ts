import { type Attributes, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { asError } from '../error/describe-error';
import { startSpanOperation } from './operations';

/** The tracer's name is ADK's own, so that tools made for its traces read ours (B62). */
const tracer = trace.getTracer('gcp.vertex.agent');

/** Runs `work` in a span; a throw is recorded and thrown on. */
export async function traced<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    const operation = startSpanOperation(name, attributes);
    try {
      return await work(span);
    } catch (error) {
      operation.fail(error);
      failSpan(span, error);
      throw error;
    } finally {
      operation.stop();
      span.end();
    }
  });
}

/**
 * A generator whose every step runs inside one span. A generator is resumed from wherever its consumer stands, so the
 * span has to be made active anew for each step.
 */
export async function* traceGenerator<T>(
  name: string,
  attributes: Attributes,
  start: (span: Span) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const span = tracer.startSpan(name, { attributes });
  const active = trace.setSpan(context.active(), span);
  const operation = startSpanOperation(name, attributes);
  const generator = context.with(active, () => start(span));
  try {
    for (;;) {
      const next = await context.with(active, () => generator.next());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    operation.fail(error);
    failSpan(span, error);
    throw error;
  } finally {
    await generator.return();
    operation.stop();
    span.end();
  }
}

function failSpan(span: Span, error: unknown): void {
  span.recordException(asError(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
