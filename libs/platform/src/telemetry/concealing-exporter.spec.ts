import { SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { concealing } from './concealing-exporter';

const exporter = new InMemorySpanExporter();
const conceal = (text: string): string => text.replaceAll('hush', '***');
const provider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(concealing(exporter, conceal))],
});

afterAll(() => provider.shutdown());

it('keeps secrets in, wherever of a span they are', () => {
  const span = provider.getTracer('t').startSpan('GET', {
    attributes: {
      'url.full': 'at hush',
      'url.path': '/a?token=1',
      'url.query': 'token=1',
      list: ['hush', 'b'],
      n: 3,
    },
  });
  span.setAttribute('http.request.header.authorization', ['x']);
  span.recordException(new Error('no hush'));
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'hush failed' });
  span.addLink({ context: span.spanContext(), attributes: { why: 'hush' } });
  span.end();

  const [sent] = exporter.getFinishedSpans();
  expect(sent?.attributes).toEqual({ 'url.full': 'at ***', 'url.path': '/a', list: ['***', 'b'], n: 3 });
  expect(sent?.status.message).toBe('*** failed');
  expect(sent?.events[0]?.attributes).toMatchObject({ 'exception.message': 'no ***' });
  expect(sent?.links[0]?.attributes).toEqual({ why: '***' });
  expect(JSON.stringify(sent?.events)).not.toContain('hush');
  // All else is the span's own.
  expect(sent).toMatchObject({ name: 'GET', instrumentationScope: { name: 't' }, ended: true });
  expect(sent?.spanContext()).toEqual(span.spanContext());
});
