import { trace } from '@opentelemetry/api';
import { withTraceparent } from '@skein/messaging';
import { type ClaimedRun } from '@skein/session-store';

const tracer = trace.getTracer('skein.session');

/** Tells in a run's trace how long it waited for this claim; of a run that is not traced nothing. */
export function queueSpan({ handover, waitedMs }: ClaimedRun): void {
  const { traceparent, invocationId, epoch, attempt } = handover;
  withTraceparent(traceparent, () => {
    if (!trace.getActiveSpan()) return;
    const attributes = {
      'gcp.vertex.agent.invocation_id': invocationId,
      'skein.epoch': epoch,
      'skein.attempt': attempt,
    };
    const now = Date.now();
    tracer.startSpan('queue', { attributes, startTime: now - waitedMs }).end(now);
  });
}
