import { type Event } from '@skein/contracts';

/** The time that events take; not the first's to the last's, since clocks of two runners may differ. */
export function timeRange(events: readonly Event[]): { startTimestamp: number; endTimestamp: number } {
  let startTimestamp = Infinity;
  let endTimestamp = -Infinity;
  for (const { timestamp } of events) {
    startTimestamp = Math.min(startTimestamp, timestamp);
    endTimestamp = Math.max(endTimestamp, timestamp);
  }
  return { startTimestamp, endTimestamp };
}
