import { trace } from '@opentelemetry/api';
import { type Chain } from './chain';
import { type UnitQueue } from './unit-queue';

/**
 * One statement stores the units of many requests, and is a span in the trace of the first of them: the others link to
 * the request it was made in.
 */
export function linkToFirst(queue: UnitQueue, chains: readonly Chain[]): void {
  const [first, ...others] = chains.flat();
  if (!first || others.length === 0) return;
  const storing = queue.inTraceOf(first, () => trace.getActiveSpan()?.spanContext());
  if (!storing) return;
  for (const unit of others)
    queue.inTraceOf(unit, () => trace.getActiveSpan()?.addLink({ context: storing }));
}
