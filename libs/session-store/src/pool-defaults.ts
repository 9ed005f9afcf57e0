/** How much more than its workers run is under way in a pool, so that none of them is idle for a round. */
export const POOL_SURPLUS = 1.25;

/** How long a call may take to be begun whose tool says nothing of that. */
export const SCHEDULE_TO_START_MS = 300_000;
