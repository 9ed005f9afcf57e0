import { core, tracing } from '@opentelemetry/sdk-node';
import { spanFigures } from './span-figures';

type SpanProcessor = tracing.SpanProcessor;
type SpanExporter = tracing.SpanExporter;

/** The SDK's own. */
const DEFAULT_QUEUE = 2_048;

/**
 * Sends spans in batches. While the collector is away or hangs at most so many wait, those under way included; what comes
 * then is dropped and counted. The SDK's own queue drops as well, but tells nobody how much.
 */
export function boundedSpans(exporter: SpanExporter, maxQueue = DEFAULT_QUEUE): SpanProcessor {
  let held = 0;
  const counted: SpanExporter = {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        held -= spans.length;
        if (result.code === core.ExportResultCode.SUCCESS) spanFigures.sent += spans.length;
        else spanFigures.exportFailed += spans.length;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
  const batches = new tracing.BatchSpanProcessor(counted, { maxQueueSize: maxQueue });
  return {
    onStart: (span, parent) => batches.onStart(span, parent),
    onEnd: (span) => {
      if ((span.spanContext().traceFlags & SAMPLED) === 0) return;
      if (held >= maxQueue) {
        spanFigures.queueFull += 1;
        return;
      }
      held += 1;
      batches.onEnd(span);
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  };
}

/** The one flag of a trace context; of others no batch is made. */
const SAMPLED = 1;
