import { type Event } from '@skein/contracts';
import { type Invocation } from '../agent/invocation-context';
import { Frame } from '../journal/frame';
import { runSegment } from './run-segment';
import { type SegmentInput } from './segment-input';

/** Runs one segment of an invocation, under step keys that begin with its number. */
export function runInvocation(
  invocation: Invocation,
  { segment, ...input }: SegmentInput,
): AsyncGenerator<Event, void> {
  return runSegment(invocation, { frame: Frame.ofSegment(segment), ...input });
}
