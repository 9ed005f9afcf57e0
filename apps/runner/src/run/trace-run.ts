import { context, type Link, trace } from '@opentelemetry/api';
import { type Handover, type StoredEvent, traceStepOf } from '@skein/contracts';
import { type SpanPlace, traceGenerator } from '@skein/engine';
import { linksTo, withTraceparent } from '@skein/messaging';

/**
 * The events of a run within its `invocation` span. The one who begins it hangs it below the hand-over that brought it
 * here. Whoever goes on with it ends the same span, below the request it answers, with a link to the hand-over: that
 * belongs to the run's way, and not to what it does.
 */
export function traceRun<T>(
  { handover, signal }: { readonly handover: Handover; readonly signal: AbortSignal },
  stored: readonly StoredEvent[],
  events: () => AsyncGenerator<T, void>,
): AsyncGenerator<T, void> {
  const { invocationId, sessionId, segment, attempt, epoch } = handover;
  const attributes = () => ({
    'gcp.vertex.agent.invocation_id': invocationId,
    'gen_ai.conversation.id': sessionId,
    'skein.segment': segment,
    'skein.attempt': attempt,
    'skein.epoch': epoch,
  });
  const [first] = stored;
  return traceGenerator('invocation', attributes, events, () => ({
    ...placeOf(handover, stored.length > 0 || attempt > 1),
    step: traceStepOf(invocationId, String(segment)),
    signal,
    startTime: first && first.event.timestamp * 1000,
  }));
}

function placeOf(handover: Handover, isTakenOver: boolean): Pick<SpanPlace, 'parent' | 'links'> {
  const { traceparent } = handover;
  const links = linksToAsking(handover);
  const requested = withTraceparent(traceparent, () => context.active());
  const here = trace.getActiveSpan()?.spanContext();
  const isInItsTrace = here?.traceId === trace.getSpanContext(requested)?.traceId;
  if (traceparent === undefined || (isInItsTrace && !isTakenOver)) return { links };
  return { parent: requested, links: here ? [{ context: here }, ...links] : links };
}

/** An answer that comes later is a request with a trace of its own. */
function linksToAsking({ invocationId, segment, askedTraceparent }: Handover): Link[] {
  return linksTo(askedTraceparent, traceStepOf(invocationId, String(segment - 1)));
}
