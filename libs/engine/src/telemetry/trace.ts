import { type Attributes, context, type Span } from '@opentelemetry/api';
import { OpenSpan, type SpanPlace } from './open-span';
import { startSpanOperation } from './operations';

/** Runs `work` in a span; a throw is recorded and thrown on. */
export async function traced<T>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<T>,
  place?: SpanPlace,
): Promise<T> {
  const open = new OpenSpan(name, attributes, place);
  return context.with(open.active, async () => {
    const operation = startSpanOperation(name, attributes);
    try {
      return await work(open.span);
    } catch (error) {
      operation.fail(error);
      open.fail(error);
      throw error;
    } finally {
      operation.stop();
      open.end();
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
  place?: SpanPlace,
): AsyncGenerator<T, void> {
  const open = new OpenSpan(name, attributes, place);
  const operation = startSpanOperation(name, attributes);
  const generator = context.with(open.active, () => start(open.span));
  try {
    for (;;) {
      const next = await context.with(open.active, () => generator.next());
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    operation.fail(error);
    open.fail(error);
    throw error;
  } finally {
    await generator.return();
    operation.stop();
    open.end();
  }
}
