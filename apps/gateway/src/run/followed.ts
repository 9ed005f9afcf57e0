import type { SessionKey } from '@skein/contracts';

/** What a stream shows: all of a session, one invocation of it, or one segment of that. */
export interface Followed {
  readonly key: SessionKey;
  /** Which creation of the session; events of another one of the same id count from 1 too. */
  readonly sessionUid: string;
  readonly invocationId?: string | undefined;
  /** Only together with an invocation. */
  readonly segment?: number | undefined;
  /** The stream begins above this `seq`. */
  readonly afterSeq: number;
  /** The client saw a part of this stream before, and may hold chunks of an event that was open then. */
  readonly isResumed: boolean;
}
