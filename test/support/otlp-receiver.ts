import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export type Attributes = Readonly<Record<string, unknown>>;

export interface ReceivedSpan {
  readonly service: string;
  /** Which process of the service. */
  readonly instance: string;
  readonly scope: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  /** Milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly events: readonly { readonly name: string; readonly attributes: Attributes }[];
  /** What the span says went wrong; nothing where nothing did. */
  readonly error: string | undefined;
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly Value[] };
}

type KeyValues = readonly { readonly key: string; readonly value: Value }[];

interface OtlpSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: KeyValues;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly events?: readonly { readonly name: string; readonly attributes: KeyValues }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: KeyValues };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const ERROR = 2;

/** A collector for tests: it keeps every span it is sent as OTLP JSON, and every byte. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The bodies as they came, unpacked. */
  readonly bodies: string[] = [];

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<OtlpReceiver> {
    const bodies: ((body: string) => void)[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
        if (request.url === '/v1/traces') bodies.forEach((take) => take(text.toString()));
        response.setHeader('content-type', 'application/json');
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // Of a server that listens on a port it is never a path.
    const { port } = server.address() as AddressInfo;
    const close = (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    const receiver = new OtlpReceiver(`http://127.0.0.1:${port}`, close);
    bodies.push((body) => receiver.#take(body));
    return receiver;
  }

  /** The spans of the trace that a span is part of. */
  traceOf(isIt: (span: ReceivedSpan) => boolean): ReceivedSpan[] {
    const found = this.spans.find(isIt);
    return this.spans.filter(({ traceId }) => traceId === found?.traceId);
  }

  #take(text: string): void {
    this.bodies.push(text);
    // The exporter's own format; a wrong shape fails the test that looks for its spans.
    const body = JSON.parse(text) as OtlpBody;
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const about = toAttributes(resource.attributes);
      const service = String(about['service.name']);
      const instance = String(about['service.instance.id']);
      for (const { scope, spans } of scopeSpans)
        this.spans.push(...spans.map((span) => toSpan(span, { service, instance, scope: scope.name })));
    }
  }
}

function toSpan(span: OtlpSpan, from: Pick<ReceivedSpan, 'service' | 'instance' | 'scope'>): ReceivedSpan {
  const { name, traceId, spanId, parentSpanId = '', status } = span;
  return {
    ...from,
    name,
    kind: KINDS[span.kind] ?? 'internal',
    traceId,
    spanId,
    parentSpanId,
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
    attributes: toAttributes(span.attributes),
    links: (span.links ?? []).map((link) => ({ traceId: link.traceId, spanId: link.spanId })),
    events: (span.events ?? []).map((event) => ({
      name: event.name,
      attributes: toAttributes(event.attributes),
    })),
    error: status.code === ERROR ? (status.message ?? '') : undefined,
  };
}

function toAttributes(pairs: KeyValues): Attributes {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, toValue(value)]));
}

function toValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue) return arrayValue.values.map(toValue);
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? doubleValue ?? boolValue;
}
