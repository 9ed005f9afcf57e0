import { type Event } from '@skein/contracts';
import { type Invocation } from '../agent/invocation';
import { Frame } from '../journal/frame';
import { runSegment } from './run-segment';
import { type SegmentInput } from './segment-input';
import { untilAborted } from './until-aborted';

/**
 * Runs one segment of an invocation, under step keys that begin with its number. Aborting the invocation's signal ends
 * it at once and stores nothing more; `endCancelled` then tells of the end, where the end is meant.
 */
export function runInvocation(
  invocation: Invocation,
  { segment, ...input }: SegmentInput,
): AsyncGenerator<Event, void> {
  const events = runSegment(invocation, { frame: Frame.ofSegment(segment), ...input });
  return untilAborted(events, invocation.signal);
}
