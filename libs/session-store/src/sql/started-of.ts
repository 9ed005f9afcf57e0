/** Ends of a call whose attempt no worker began. */
const NOT_BEGUN = ['tool.not-started', 'tool.no-worker', 'tool.unsendable', 'tool.unknown', 'tool.deadline'];

/** Whether an attempt that ended by this code was begun. */
export function wasBegun(code: string): string {
  return `${code} NOT IN (${NOT_BEGUN.map((one) => `'${one}'`).join(', ')})`;
}

/**
 * How often a call `d` was begun that ends by a result `r`, as far as is known, and never more than it may be. One that may
 * run once is begun in the database. Of any other its worker says which attempt it was; ended without one, it counts as
 * begun where a worker was heard to be at it.
 */
export const STARTED = `
  CASE WHEN d.policy ->> 'sideEffect' = 'once' THEN (d.begun_by IS NOT NULL)::integer
       ELSE least((d.policy ->> 'maxAttempts')::integer, greatest(d.starts, CASE
         WHEN ${wasBegun('r.code')} THEN greatest(d.attempt, r.attempt)
         WHEN r.worker <> 'session-svc' THEN r.attempt - 1
         WHEN r.code = 'tool.deadline' AND d.start_deadline IS NULL THEN d.attempt
         ELSE d.attempt - 1 END))
  END`;
