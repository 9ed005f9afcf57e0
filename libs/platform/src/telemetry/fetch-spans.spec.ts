import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { core } from '@opentelemetry/sdk-node';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { traceFetch } from './fetch-spans';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const received: IncomingHttpHeaders[] = [];
const server = createServer((request, response) => {
  received.push(request.headers);
  response.statusCode = request.url?.startsWith('/missing') ? 404 : 200;
  response.end('here');
});
let url = '';
let nobody = '';

beforeAll(async () => {
  provider.register({ propagator: new core.W3CTraceContextPropagator() });
  traceFetch();
  url = await listen(server);
  const gone = createServer();
  nobody = await listen(gone);
  await new Promise((resolve) => gone.close(resolve));
});
beforeEach(() => exporter.reset());
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await provider.shutdown();
  for (const api of [trace, context, propagation]) api.disable();
});

async function listen(at: Server): Promise<string> {
  await new Promise<void>((resolve) => at.listen(0, '127.0.0.1', resolve));
  // Of a server that listens on a port it is never a path.
  return `http://127.0.0.1:${(at.address() as AddressInfo).port}`;
}

/** Fetches within a span; what was told of that. */
async function spanOf(address: string) {
  const outer = provider.getTracer('t').startSpan('outer');
  await context.with(trace.setSpan(context.active(), outer), async () =>
    fetch(address).then(
      (response) => response.text(),
      () => undefined,
    ),
  );
  outer.end();
  const span = exporter.getFinishedSpans().find(({ kind }) => kind === SpanKind.CLIENT);
  return { span, outer: outer.spanContext() };
}

describe('a request of fetch', () => {
  it('is a span of whoever asked, and tells its trace to whom it asks', async () => {
    const { span, outer } = await spanOf(`${url}/v1/models?key=planted`);

    expect(span).toMatchObject({ name: 'GET', parentSpanContext: { spanId: outer.spanId } });
    expect(span?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'url.path': '/v1/models',
      'server.address': '127.0.0.1',
      'http.response.status_code': 200,
    });
    expect(JSON.stringify(span?.attributes)).not.toContain('planted');
    expect(received.at(-1)?.traceparent).toBe(`00-${outer.traceId}-${span?.spanContext().spanId}-01`);
  });

  it.each([
    ['is refused', (): string => `${url}/missing`, '404'],
    ['reaches nobody', (): string => nobody, 'Error'],
  ])('that %s has failed', async (_what, address, type) => {
    const { span } = await spanOf(address());

    expect(span?.status.code).toBe(SpanStatusCode.ERROR);
    expect(span?.attributes['error.type']).toBe(type);
  });

  it('begins no trace', async () => {
    await (await fetch(url)).text();

    expect(exporter.getFinishedSpans()).toEqual([]);
    expect(received.at(-1)).not.toHaveProperty('traceparent');
  });
});
