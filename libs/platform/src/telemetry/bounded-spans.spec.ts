import { setImmediate as nextTurn } from 'node:timers/promises';
import { core, type tracing } from '@opentelemetry/sdk-node';
import { boundedSpans } from './bounded-spans';
import { spanFigures } from './span-figures';

const { SUCCESS, FAILED } = core.ExportResultCode;
type Done = (result: core.ExportResult) => void;

/** As much of a span as a queue reads. */
function aSpan(traceFlags = 1): tracing.ReadableSpan {
  const spanContext = () => ({ traceId: 't', spanId: 's', traceFlags });
  return { spanContext, resource: { asyncAttributesPending: false } } as tracing.ReadableSpan;
}

describe('the queue of spans', () => {
  let underWay: { readonly count: number; readonly done: Done }[];
  let spans: tracing.SpanProcessor;
  let isOver: boolean;
  beforeEach(() => {
    Object.assign(spanFigures, { sent: 0, queueFull: 0, exportFailed: 0 });
    underWay = [];
    isOver = false;
    const exporter: tracing.SpanExporter = {
      export: (batch, done) => {
        underWay.push({ count: batch.length, done });
        if (isOver) done({ code: SUCCESS });
      },
      shutdown: async () => undefined,
    };
    spans = boundedSpans(exporter, 3);
  });

  afterEach(async () => {
    isOver = true;
    for (const { done } of underWay) done({ code: SUCCESS });
    await spans.shutdown();
  });

  it('holds no more than it may, those under way included, and counts what it drops', async () => {
    for (let n = 0; n < 10; n++) spans.onEnd(aSpan());
    void spans.forceFlush();
    await nextTurn();
    for (let n = 0; n < 10; n++) spans.onEnd(aSpan());

    expect(underWay.map(({ count }) => count)).toEqual([3]);
    expect(spanFigures).toEqual({ sent: 0, queueFull: 17, exportFailed: 0 });
  });

  it('has room again once the collector took a batch, or refused it', async () => {
    for (const code of [SUCCESS, FAILED]) {
      for (let n = 0; n < 3; n++) spans.onEnd(aSpan());
      const flushed = spans.forceFlush().catch(() => undefined); // It tells of the refusal.
      await nextTurn();
      underWay.at(-1)?.done({ code });
      await flushed;
    }

    expect(spanFigures).toEqual({ sent: 3, queueFull: 0, exportFailed: 3 });
  });

  it('gives no place to what is not sampled', () => {
    for (let n = 0; n < 10; n++) spans.onEnd(aSpan(0));
    spans.onEnd(aSpan());

    expect(spanFigures.queueFull).toBe(0);
  });
});
