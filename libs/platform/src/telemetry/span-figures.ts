import { type Metrics } from '../metrics/metrics';

/** What became of the spans of this process. Beside the SDK, which is loaded only where spans are sent. */
export const spanFigures = { sent: 0, queueFull: 0, exportFailed: 0 };

/** Shows them; all 0 while telemetry is off. */
export function measureSpans(metrics: Metrics): void {
  metrics.sum('skein_telemetry_spans_sent_total', 'Spans that the collector took.', () => spanFigures.sent);
  metrics.sum(
    'skein_telemetry_spans_dropped_total',
    'Spans that were lost, by reason: queue_full (more waited than OTEL_BSP_MAX_QUEUE_SIZE), export_failed (the collector did not take them).',
    () => [
      [{ reason: 'queue_full' }, spanFigures.queueFull],
      [{ reason: 'export_failed' }, spanFigures.exportFailed],
    ],
  );
}
