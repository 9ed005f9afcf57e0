import { type Content } from '@skein/contracts';
import { type StateRecord } from '../state/state-scope';

/** One input of an invocation: it starts one segment. */
export interface SegmentInput {
  /** Counts the invocation's inputs from 0. */
  readonly segment: number;
  /** Absent when the invocation is only to go on. */
  readonly newMessage?: Content | undefined;
  readonly stateDelta?: StateRecord | undefined;
}
