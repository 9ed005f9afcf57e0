import { splitState, type StateRecord } from './state-scope';

/** A session's own state after these deltas, in their order; `app:`, `user:` and `temp:` keys have their own places. */
export function foldSessionState(
  initial: StateRecord,
  deltas: readonly StateRecord[],
): Record<string, unknown> {
  const entries = deltas.flatMap((delta) => Object.entries(splitState(delta).session));
  return Object.fromEntries([...Object.entries(initial), ...entries]);
}
