import { type Context, trace } from '@opentelemetry/api';

/**
 * One statement stores what many requests brought, and is a span in the trace of the first of them: the others link to
 * the request it was made in.
 */
export function linkToFirst([first, ...others]: readonly Context[]): void {
  if (!first || others.length === 0) return;
  const storing = trace.getSpan(first)?.spanContext();
  if (!storing) return;
  for (const other of others) trace.getSpan(other)?.addLink({ context: storing });
}
