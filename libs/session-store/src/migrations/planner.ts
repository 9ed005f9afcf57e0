/**
 * Every access in these functions is by key. Their plans are cached, and one made while a table was new would read it
 * whole for as long as statistics are not refreshed; with the other paths closed it is by key from the first row on.
 */
export const BY_KEY = `
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off`;

/**
 * For functions of every turn: one plan for any arguments from the first call on. A new connection would else plan each
 * of their statements five times over, for half a millisecond a call, to find that the plan is always the same.
 */
export const PLANNED_ONCE = `SET plan_cache_mode = force_generic_plan`;

/** For functions that read the first rows of a long index: taken for short, it would be read whole and sorted. */
export const IN_ORDER = `SET enable_sort = off SET enable_bitmapscan = off`;
