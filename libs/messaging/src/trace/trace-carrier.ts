import { context, type Link, propagation, trace } from '@opentelemetry/api';
import { spanIdOf } from '@skein/contracts';

type Carrier = Record<string, string>;

/** A message, whose headers the client reads when they are asked for: not before they are needed. */
export interface TraceCarrier {
  readonly headers?: { get(name: string): string } | undefined;
}

/** On a message of a work queue: the step that sent it, under which a later delivery stands. */
export const ORIGIN_HEADER = 'Skein-Trace-Origin';

const NO_HEADERS: Readonly<Carrier> = {};

/** What the W3C calls a trace context, as headers of a message; empty while telemetry is off. */
export function traceHeaders(): Readonly<Carrier> {
  if (!trace.getActiveSpan()) return NO_HEADERS;
  const carrier: Carrier = {};
  propagation.inject(context.active(), carrier);
  return { ...pick(carrier, 'traceparent'), ...pick(carrier, 'tracestate') };
}

/** The trace a message came from, as one line; nothing while telemetry is off, and then its headers are not read for it. */
export function traceparentOf(message: TraceCarrier): string | undefined {
  return isTelemetryOn() ? message.headers?.get('traceparent') : undefined;
}

/** Runs within the trace a message came from. */
export function withTraceOf<T>(message: TraceCarrier, run: () => T): T {
  const traceparent = traceparentOf(message);
  if (!traceparent) return run();
  const carrier: Carrier = { traceparent };
  const tracestate = message.headers?.get('tracestate');
  // A neighbour we do not know could send any amount of it along.
  if (tracestate && tracestate.length <= 512) carrier.tracestate = tracestate;
  return context.with(propagation.extract(context.active(), carrier), run);
}

/** The current trace context as one line, to be stored with a row; nothing while telemetry is off. */
export function currentTraceparent(): string | undefined {
  return traceHeaders().traceparent;
}

/** Runs within the trace a stored line names. */
export function withTraceparent<T>(traceparent: string | undefined, run: () => T): T {
  if (traceparent === undefined) return run();
  return context.with(propagation.extract(context.active(), { traceparent }), run);
}

/** Runs below the span of a step of the trace this is in. */
export function withinStep<T>(traceStep: string, run: () => T): T {
  const here = trace.getActiveSpan()?.spanContext();
  if (!here) return run();
  const step = { ...here, spanId: spanIdOf(traceStep), isRemote: true };
  return context.with(trace.setSpanContext(context.active(), step), run);
}

/** A link to the span a stored line names, or to that of a step in its trace; none for a line that names none. */
export function linksTo(traceparent: string | undefined, traceStep?: string): Link[] {
  if (!traceparent) return [];
  const named = trace.getSpanContext(propagation.extract(context.active(), { traceparent }));
  if (!named) return [];
  return [{ context: traceStep === undefined ? named : { ...named, spanId: spanIdOf(traceStep) } }];
}

/** Without telemetry nobody has set a propagator, and the API's own carries no field. */
function isTelemetryOn(): boolean {
  return propagation.fields().length > 0;
}

function pick(carrier: Carrier, name: string): Carrier {
  const value = carrier[name];
  return value === undefined ? {} : { [name]: value };
}
