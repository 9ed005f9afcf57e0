export interface RestartLimits {
  readonly restarts: number;
  readonly windowMs: number;
  readonly firstDelayMs: number;
}

/** A process may be restarted 5 times in 60 s; what dies more often is broken, not unlucky. */
export const restartLimits: RestartLimits = { restarts: 5, windowMs: 60_000, firstDelayMs: 100 };

export type RestartDecision =
  { readonly kind: 'restart'; readonly delayMs: number } | { readonly kind: 'give-up' };

/** Decides by when the process was restarted before; each restart within the window doubles the delay. */
export function decideRestart(
  restartedAtMs: readonly number[],
  nowMs: number,
  { restarts, windowMs, firstDelayMs }: RestartLimits = restartLimits,
): RestartDecision {
  const recent = restartedAtMs.filter((at) => nowMs - at < windowMs).length;
  return recent >= restarts ? { kind: 'give-up' } : { kind: 'restart', delayMs: firstDelayMs * 2 ** recent };
}
