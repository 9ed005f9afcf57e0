import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { propagation } from '@opentelemetry/api';
import { core } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { linkToClaimed, setTraceAside } from './incoming-trace';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

beforeAll(() => propagation.setGlobalPropagator(new core.W3CTraceContextPropagator()));
afterAll(async () => {
  propagation.disable();
  await provider.shutdown();
});
beforeEach(() => exporter.reset());

function aRequest(headers: IncomingMessage['headers']): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers });
}

function spanOf(request: IncomingMessage) {
  const span = provider.getTracer('t').startSpan('POST');
  linkToClaimed(span, request);
  span.end();
  return exporter.getFinishedSpans()[0];
}

describe('a trace that a client names', () => {
  it('is linked to, and not joined', () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const request = aRequest({
      traceparent: `00-${traceId}-b7ad6b7169203331-00`,
      tracestate: 'a=b',
      host: 'h',
    });

    setTraceAside(request);

    expect(request.headers).toEqual({ host: 'h' });
    expect(spanOf(request)?.links).toMatchObject([{ context: { traceId, spanId: 'b7ad6b7169203331' } }]);
  });

  it.each(['', 'nonsense', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`])(
    'is none when it is %p',
    (traceparent) => {
      const request = aRequest({ traceparent });

      setTraceAside(request);

      expect(spanOf(request)?.links).toEqual([]);
    },
  );
});
