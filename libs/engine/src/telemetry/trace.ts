import {
  type Attributes,
  context,
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  type Span,
  trace,
} from '@opentelemetry/api';
import { WatchedStream } from '../stream/watched-stream';
import { OpenSpan, type SpanPlace, TRACER } from './open-span';
import { isHeard, type RunningOperation, startSpanOperation } from './operations';

/** As a function it is asked only where somebody listens: most runs are neither traced nor measured. */
export type Asked<T> = T | (() => T);

/** Runs `work` in a span; a throw is recorded and thrown on. Without anybody who listens it is only run. */
export function traced<T>(
  name: string,
  attributes: Asked<Attributes>,
  work: (span: Span) => Promise<T>,
  place?: Asked<SpanPlace>,
): Promise<T> {
  if (areSpansKept()) return inSpan(new OpenSpan(name, asked(attributes), asked(place)), work);
  return isHeard(name) ? told(name, asked(attributes), work) : work(NO_SPAN);
}

/**
 * A generator whose every step runs inside one span. A generator is resumed from wherever its consumer stands, so the
 * span has to be made active anew for each step. Without anybody who listens it is the generator itself.
 */
export function traceGenerator<T>(
  name: string,
  attributes: Asked<Attributes>,
  start: (span: Span) => AsyncGenerator<T, void>,
  place?: Asked<SpanPlace>,
): AsyncGenerator<T, void> {
  if (areSpansKept()) return stepsInSpan(() => new OpenSpan(name, asked(attributes), asked(place)), start);
  return isHeard(name) ? toldSteps(name, asked(attributes), start) : start(NO_SPAN);
}

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Whether there is an SDK: without one no span goes anywhere. */
function areSpansKept(): boolean {
  const provider = trace.getTracerProvider();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else tells an absent SDK from a present one.
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER) !== undefined;
}

function asked<T>(value: Asked<T>): T {
  // Neither attributes nor places are functions.
  return typeof value === 'function' ? (value as () => T)() : value;
}

async function inSpan<T>(open: OpenSpan, work: (span: Span) => Promise<T>): Promise<T> {
  return context.with(open.active, async () => {
    const operation = startSpanOperation(open.name, open.attributes);
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

async function* stepsInSpan<T>(
  begin: () => OpenSpan,
  start: (span: Span) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const open = begin();
  const operation = startSpanOperation(open.name, open.attributes);
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

async function told<T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>): Promise<T> {
  const operation = startSpanOperation(name, attributes);
  try {
    return await work(NO_SPAN);
  } catch (error) {
    operation.fail(error);
    throw error;
  } finally {
    operation.stop();
  }
}

function toldSteps<T>(
  name: string,
  attributes: Attributes,
  start: (span: Span) => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  let operation: RunningOperation | undefined;
  return new WatchedStream({
    start: () => {
      operation = startSpanOperation(name, attributes);
      return start(NO_SPAN);
    },
    failed: (error) => {
      operation?.fail(error);
      throw error;
    },
    ended: () => operation?.stop(),
  });
}
