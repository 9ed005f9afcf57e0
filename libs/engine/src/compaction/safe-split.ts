import { type Event } from '@skein/contracts';
import { pairResponses } from '../flow/contents/pair-responses';

/**
 * The latest place, at most `at`, where events may be parted into those a summary stands for and those it leaves; 0 when
 * there is none. No call is parted from its response. And since a summary stands for a range of time, every event
 * before the place must be older than every event after it: events that share a timestamp stay on one side, as do
 * those that clocks of two runners put in another order than the log. `least` is a time the left side reaches anyway.
 */
export function safeSplit(events: readonly Event[], at: number, least = -Infinity): number {
  const lastAnswers = lastAnswerIndexes(events);
  const oldestAfter = oldestFrom(events);
  let safe = 0;
  let newest = least;
  let answeredUpTo = -1;
  for (let index = 0; index < Math.min(at, events.length); index++) {
    newest = Math.max(newest, events[index]?.timestamp ?? -Infinity);
    answeredUpTo = Math.max(answeredUpTo, lastAnswers[index] ?? -1);
    const split = index + 1;
    if (answeredUpTo < split && newest < (oldestAfter[split] ?? Infinity)) safe = split;
  }
  return safe;
}

/** For each event that asks, where its last response is. */
function lastAnswerIndexes(events: readonly Event[]): readonly (number | undefined)[] {
  const { exchanges } = pairResponses(events);
  const indexes = new Map(events.map((event, index) => [event, index]));
  return events.map((event) => {
    const last = exchanges.get(event)?.answeredBy.at(-1);
    return last && indexes.get(last);
  });
}

/** For each place, the oldest timestamp from there on. */
function oldestFrom(events: readonly Event[]): readonly number[] {
  const oldest: number[] = [];
  for (let index = events.length - 1; index >= 0; index--) {
    oldest[index] = Math.min(events[index]?.timestamp ?? Infinity, oldest[index + 1] ?? Infinity);
  }
  return oldest;
}
