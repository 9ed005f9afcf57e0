import { type Attributes, type Link, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AdkError } from '@skein/contracts';
import { type DeliveryInfo } from '../work/work-message';
import { linksTo, ORIGIN_HEADER, type TraceCarrier, withTraceOf, withTraceparent } from './trace-carrier';

const tracer = trace.getTracer('skein.messaging');

interface Received extends TraceCarrier {
  readonly subject: string;
}

/**
 * A message leaves: PRODUCER for one that is handed over, CLIENT for a request that waits for its answer. What belongs to
 * no trace begins none: a renewed lease or a sweep would each be a trace of its own.
 */
export function sendingSpan<T>(
  kind: 'publish' | 'request',
  subject: string,
  run: () => Promise<T>,
  links: Link[] = [],
): Promise<T> {
  return inSpan(() => {
    const name = kind === 'request' ? spanName(subject) : `${spanName(subject)} publish`;
    const spanKind = kind === 'request' ? SpanKind.CLIENT : SpanKind.PRODUCER;
    return { name, kind: spanKind, attributes: attributesOf(subject), links };
  }, run);
}

/** A request is answered, in the trace it came from. */
export function answeringSpan<T>(message: Received, run: () => Promise<T>): Promise<T> {
  const span = (): SpanOf => ({
    name: spanName(message.subject),
    kind: SpanKind.SERVER,
    attributes: attributesOf(message.subject),
  });
  return withTraceOf(message, () => inSpan(span, run));
}

/** A message that was sent to whoever listens is handled, in the trace it came from. */
export function hearingSpan<T>(message: Received, run: () => Promise<T>): Promise<T> {
  const span = (): SpanOf => ({
    name: `${spanName(message.subject)} process`,
    kind: SpanKind.CONSUMER,
    attributes: attributesOf(message.subject),
  });
  return withTraceOf(message, () => inSpan(span, run));
}

/**
 * A message of a work queue is handled, below the span that published it. A later delivery of it is no part of that one
 * any more, which ended with its first: it stands beside it, and links to it.
 */
export function processingSpan<T>(
  message: Received,
  { startedBefore, storedAtMs }: DeliveryInfo,
  run: () => Promise<T>,
): Promise<T> {
  const span = (): SpanOf => ({
    name: `${spanName(message.subject)} process`,
    kind: SpanKind.CONSUMER,
    attributes: {
      ...attributesOf(message.subject),
      // Two clocks: what is below zero is none.
      'skein.queue.wait_ms': Math.max(0, Math.round(Date.now() - storedAtMs)),
      'skein.queue.started_before': startedBefore,
    },
  });
  const origin = startedBefore > 0 ? message.headers?.get(ORIGIN_HEADER) : undefined;
  if (!origin) return withTraceOf(message, () => inSpan(span, run));
  const links = linksTo(message.headers?.get('traceparent'));
  return withTraceparent(origin, () => inSpan(() => ({ ...span(), links }), run));
}

interface SpanOf {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  readonly links?: Link[];
}

/** What a span is called and has is made only where there is a trace: every message comes by here. */
function inSpan<T>(spanOf: () => SpanOf, run: () => Promise<T>): Promise<T> {
  if (!trace.getActiveSpan()) return run();
  const { name, ...options } = spanOf();
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await run();
    } catch (error) {
      const { code, message } = AdkError.from(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      span.setAttribute('error.type', code);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Verbs have names of their own; elsewhere what follows the first token is an id, and would make a name per user. */
function spanName(subject: string): string {
  return subject.startsWith('rpc.') ? subject : (subject.split('.', 1)[0] ?? subject);
}

/** Whose session it is, which is in the subject of an event, is no attribute of a message. */
function attributesOf(subject: string): Attributes {
  const destination = subject.startsWith('event.') ? 'event' : subject;
  return { 'messaging.system': 'nats', 'messaging.destination.name': destination };
}
