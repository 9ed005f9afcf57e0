import { context, SpanKind, trace } from '@opentelemetry/api';
import { AdkError } from '@skein/contracts';
import {
  consumeWork,
  currentTraceparent,
  provisionStreams,
  publishWork,
  RpcClient,
  serveRpc,
  withTraceparent,
} from '@skein/messaging';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { z } from 'zod';
import { type NatsSetup, startNats, until } from './messaging-setup';

describe('trace context over NATS', () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  let setup: NatsSetup;

  beforeAll(async () => {
    provider.register();
    setup = await startNats();
  });
  afterAll(async () => {
    await setup.stop();
    await provider.shutdown();
    trace.disable();
    context.disable();
  });
  beforeEach(() => exporter.reset());

  function spans() {
    return exporter.getFinishedSpans().map((span) => ({
      name: span.name,
      kind: span.kind,
      traceId: span.spanContext().traceId,
      spanId: span.spanContext().spanId,
      parent: span.parentSpanContext?.spanId,
      links: span.links.map(({ context: linked }) => linked.spanId),
    }));
  }

  it('crosses request and reply, one CLIENT and one SERVER span in one trace', async () => {
    const server = await setup.connect();
    serveRpc(server, 'rpc.session.submit', {
      schema: z.unknown(),
      handler: async () => currentTraceparent(),
    });
    await server.flush();
    const rpc = new RpcClient(await setup.connect());

    const answered = await provider
      .getTracer('test')
      .startActiveSpan('request', async (span) =>
        rpc.request('rpc.session.submit', z.string(), {}, { timeoutMs: 5_000 }).finally(() => span.end()),
      );

    const [serving, asking, request] = spans();
    expect(asking).toMatchObject({
      name: 'rpc.session.submit',
      kind: SpanKind.CLIENT,
      parent: request?.spanId,
    });
    expect(serving).toMatchObject({
      name: 'rpc.session.submit',
      kind: SpanKind.SERVER,
      traceId: asking?.traceId,
      parent: asking?.spanId,
    });
    expect(answered).toContain(asking?.traceId);
  });

  it('crosses a work queue, and goes on from a stored line', async () => {
    const connection = await setup.connect();
    await provisionStreams(connection);
    const consumer = await consumeWork(connection, {
      stream: 'TOOLS',
      durable: 'tools_default',
      filterSubject: 'tool.default.normal',
      ackWaitMs: 30_000,
      maxDeliver: 5,
      concurrency: 1,
      schema: z.unknown(),
      handler: async () => undefined,
    });
    const stored = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

    await withTraceparent(stored, () =>
      publishWork(connection, 'tool.default.normal', {}, { msgId: 'traced' }),
    );
    await until('it was handled', () => spans().length === 2);
    await consumer.stop();

    const published = spans().find(({ kind }) => kind === SpanKind.PRODUCER);
    const processed = spans().find(({ kind }) => kind === SpanKind.CONSUMER);
    expect(published).toMatchObject({ name: 'tool publish', parent: 'b7ad6b7169203331' });
    expect(processed).toMatchObject({ name: 'tool process', parent: published?.spanId });
    expect(processed?.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  });

  it('has a later delivery beside the message, with a link to it', async () => {
    const connection = await setup.connect();
    await provisionStreams(connection);
    let deliveries = 0;
    const consumer = await consumeWork(connection, {
      stream: 'TOOLS',
      durable: 'tools_default',
      filterSubject: 'tool.default.normal',
      ackWaitMs: 30_000,
      maxDeliver: 5,
      concurrency: 1,
      schema: z.unknown(),
      handler: async () => {
        deliveries += 1;
        if (deliveries === 1)
          throw new AdkError('unavailable', 'test.later', 'Not now.', { retryAfterMs: 1 });
      },
    });
    const stored = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

    await withTraceparent(stored, () =>
      publishWork(connection, 'tool.default.normal', {}, { msgId: 'delivered-twice' }),
    );
    await until('it was handled', () => spans().length === 3);
    await consumer.stop();

    const published = spans().find(({ kind }) => kind === SpanKind.PRODUCER);
    const [first, second] = spans().filter(({ kind }) => kind === SpanKind.CONSUMER);
    expect(first).toMatchObject({ parent: published?.spanId, links: [] });
    expect(second).toMatchObject({ parent: 'b7ad6b7169203331', links: [published?.spanId] });
  });

  it('begins no trace for what belongs to none', async () => {
    const server = await setup.connect();
    serveRpc(server, 'rpc.session.renew', { schema: z.unknown(), handler: async () => 'held' });
    await server.flush();

    await new RpcClient(await setup.connect()).request(
      'rpc.session.renew',
      z.string(),
      {},
      { timeoutMs: 5_000 },
    );

    expect(spans()).toEqual([]);
  });

  it('has no line to store outside of a span', () => {
    expect(currentTraceparent()).toBeUndefined();
  });
});
