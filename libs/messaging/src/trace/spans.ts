import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AdkError } from '@skein/contracts';
import { withTraceHeaders } from './trace-carrier';

const tracer = trace.getTracer('skein.messaging');

/** A message leaves: PRODUCER for one that is handed over, CLIENT for a request that waits for its answer. */
export function sendingSpan<T>(
  kind: 'publish' | 'request',
  subject: string,
  run: () => Promise<T>,
): Promise<T> {
  const name = kind === 'request' ? spanName(subject) : `${spanName(subject)} publish`;
  return inSpan(name, kind === 'request' ? SpanKind.CLIENT : SpanKind.PRODUCER, attributesOf(subject), run);
}

/** A message is handled, in the trace it came from. */
export function receivingSpan<T>(
  kind: 'process' | 'answer',
  { subject, headers }: { subject: string; headers?: { get(name: string): string } | undefined },
  run: () => Promise<T>,
): Promise<T> {
  const name = kind === 'answer' ? spanName(subject) : `${spanName(subject)} process`;
  return withTraceHeaders(headers, () =>
    inSpan(name, kind === 'answer' ? SpanKind.SERVER : SpanKind.CONSUMER, attributesOf(subject), run),
  );
}

function inSpan<T>(name: string, kind: SpanKind, attributes: Attributes, run: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, { kind, attributes }, async (span) => {
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

function attributesOf(subject: string): Attributes {
  return { 'messaging.system': 'nats', 'messaging.destination.name': subject };
}
