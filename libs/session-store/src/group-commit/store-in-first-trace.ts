import { type Context, context, trace } from '@opentelemetry/api';

/**
 * Runs the statement that stores what many requests brought as part of the first of them, whose span it then is; the others
 * link to the request it was made in.
 */
export function storeInFirstTrace<T>(requests: readonly Context[], store: () => Promise<T>): Promise<T> {
  const [first = context.active(), ...others] = requests;
  linkTo(first, others);
  return context.with(first, store);
}

function linkTo(first: Context, others: readonly Context[]): void {
  const storing = others.length > 0 ? trace.getSpan(first)?.spanContext() : undefined;
  if (!storing) return;
  for (const other of others) trace.getSpan(other)?.addLink({ context: storing });
}
