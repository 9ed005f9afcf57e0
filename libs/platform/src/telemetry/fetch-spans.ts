import { subscribe } from 'node:diagnostics_channel';
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** What undici, which is Node's `fetch`, publishes of a request (Node's documentation of undici's diagnostics channels). */
interface FetchRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
  addHeader(name: string, value: string): void;
}

interface FetchMessage {
  readonly request: FetchRequest;
  readonly response?: { readonly statusCode: number };
  readonly error?: unknown;
}

const tracer = trace.getTracer('skein.fetch');

/**
 * Requests of `fetch` as spans, which is how models and most tools reach outside. Named by the method; the URL is shown
 * without its query. Outside of a trace none is begun.
 */
export function traceFetch(): void {
  const spans = new WeakMap<FetchRequest, Span>();
  const on = (moment: string, hear: (message: FetchMessage, span: Span | undefined) => void): void =>
    subscribe(`undici:request:${moment}`, (message) => {
      // Undici's own, as it documents them.
      const told = message as FetchMessage;
      hear(told, spans.get(told.request));
    });

  on('create', ({ request }) => {
    if (!trace.getActiveSpan()) return;
    const span = tracer.startSpan(request.method, {
      kind: SpanKind.CLIENT,
      attributes: attributesOf(request),
    });
    spans.set(request, span);
    const headers: Record<string, string> = {};
    propagation.inject(trace.setSpan(context.active(), span), headers);
    for (const [name, value] of Object.entries(headers)) request.addHeader(name, value);
  });
  on('headers', ({ response }, span) => {
    const status = response?.statusCode ?? 0;
    span?.setAttribute('http.response.status_code', status);
    if (status >= 400)
      span?.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
  });
  on('trailers', (_message, span) => span?.end());
  on('error', ({ error }, span) => {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    span?.setAttribute('error.type', name).setStatus({ code: SpanStatusCode.ERROR, message });
    span?.end();
  });
}

function attributesOf({ origin, path, method }: FetchRequest): Record<string, string | number> {
  const { protocol, hostname, port, pathname } = new URL(path, origin);
  return {
    'http.request.method': method,
    'url.scheme': protocol.slice(0, -1),
    'url.path': pathname,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}
