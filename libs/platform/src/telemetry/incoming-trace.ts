import { type IncomingMessage } from 'node:http';
import { context, propagation, type Span, trace } from '@opentelemetry/api';

/** What a request claimed to be part of, until its own span is there to link to it. */
const claimed = new WeakMap<object, string>();

/**
 * Anybody can name a trace, and say that it is not to be sampled: that is no reason to join it. Takes the name off the
 * request before the instrumentation reads it.
 */
export function setTraceAside(request: IncomingMessage): void {
  const { headers } = request;
  const { traceparent } = headers;
  if (typeof traceparent === 'string') claimed.set(request, traceparent);
  delete headers.traceparent;
  delete headers.tracestate;
}

/** Links a request's own span to the trace its client named. */
export function linkToClaimed(span: Span, request: object): void {
  const traceparent = claimed.get(request);
  if (traceparent === undefined) return;
  const named = trace.getSpanContext(propagation.extract(context.active(), { traceparent }));
  if (named) span.addLink({ context: named });
}
