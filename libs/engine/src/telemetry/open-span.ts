import {
  type Attributes,
  type Context,
  context,
  type Link,
  type Span,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AdkError, TRACE_STEP } from '@skein/contracts';
import { asError } from '../error/describe-error';

/** The tracer's name is ADK's own, so that tools made for its traces read ours (B62). */
export const TRACER = 'gcp.vertex.agent';
const tracer = trace.getTracer(TRACER);

/** Where a span stands, beyond what is active while it starts. */
export interface SpanPlace {
  /** Of `traceStepOf`: whoever goes on with the step after a crash ends the span under the same id. */
  readonly step?: string;
  /** The run's: aborted, it ends the span at once, also where what it is about is left behind. */
  readonly signal?: AbortSignal;
  readonly parent?: Context;
  readonly links?: Link[];
  /** Milliseconds since the epoch, of what goes on here and began elsewhere. */
  readonly startTime?: number | undefined;
  /** Asked at its end: whether all of it was done, and told of, by an earlier owner of the run. */
  readonly isRepeat?: () => boolean;
}

/** Whoever ends a run with it leaves it to another process, which tells of it. */
export class RunLeft extends Error {}

/** A span that ends once: with its work, or with its run. */
export class OpenSpan {
  readonly span: Span;
  /** With the span as the active one. */
  readonly active: Context;
  #hasEnded = false;
  #forget: () => void = () => undefined;

  constructor(
    readonly name: string,
    readonly attributes: Attributes,
    private readonly place: SpanPlace = {},
  ) {
    const { step, signal, parent = context.active(), links = [], startTime } = place;
    const options = { attributes, links, ...(startTime === undefined ? {} : { startTime }) };
    const start = (): Span => tracer.startSpan(name, options, parent);
    this.span = step === undefined ? start() : context.with(parent.setValue(TRACE_STEP, step), start);
    this.active = trace.setSpan(parent, this.span);
    if (signal && this.span.isRecording())
      this.#forget = whenAborted(signal, (reason) => this.#endWith(reason));
  }

  fail(error: unknown): void {
    if (this.#hasEnded) return;
    // A step is another process's to end, under the same id.
    if (isLeft(error) && this.place.step !== undefined) this.#close();
    else failSpan(this.span, error);
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#close();
    if (this.place.isRepeat?.() !== true) this.span.end();
  }

  #endWith(reason: unknown): void {
    this.fail(reason);
    this.end();
  }

  #close(): void {
    this.#hasEnded = true;
    this.#forget();
  }
}

/** Tells on a span what went wrong, and under which code. */
export function failSpan(span: Span, error: unknown): void {
  const { message } = asError(error);
  span.recordException(asError(error));
  span.setAttribute('error.type', errorTypeOf(error));
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/** Our own errors have codes; of others the class name is all there is (B23). */
function errorTypeOf(error: unknown): string {
  const { name, code } = asError(error) as Error & { readonly code?: unknown };
  return typeof code === 'string' ? code : name;
}

function isLeft(error: unknown): boolean {
  return error instanceof RunLeft || (AdkError.isInstance(error) && error.code === 'append.fenced');
}

/** A run may have any number of spans open: its signal has one listener for all of them. */
const waiting = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>();

function whenAborted(signal: AbortSignal, listener: (reason: unknown) => void): () => void {
  const known = waiting.get(signal);
  const listeners = known ?? new Set();
  if (!known) {
    waiting.set(signal, listeners);
    // Innermost first, as work ends.
    const tell = (): void => [...listeners].reverse().forEach((each) => each(signal.reason));
    signal.addEventListener('abort', tell, { once: true });
  }
  listeners.add(listener);
  return () => listeners.delete(listener);
}
