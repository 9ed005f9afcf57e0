/**
 * Every access in these functions is by key. Their plans are cached, and one made while a table was new would read it
 * whole for as long as statistics are not refreshed; with the other paths closed it is by key from the first row on.
 */
export const BY_KEY = `
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off`;
