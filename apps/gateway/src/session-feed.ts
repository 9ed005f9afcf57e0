import type { EventMessage, PartialFrame, SessionKey } from '@skein/contracts';

/** What is heard of one session. `missed` says that messages may have been lost, so the head must be read again. */
export type FeedMessage =
  | { readonly kind: 'event'; readonly message: EventMessage }
  | { readonly kind: 'partial'; readonly frame: PartialFrame }
  | { readonly kind: 'missed' };

export interface FeedSubscription {
  /** Stops listening; a second call does nothing. */
  close(): void;
}

/** Listens to a session's stored events and streamed pieces, each of which may come 0, 1 or n times, in any order. */
export abstract class SessionFeed {
  /** Is in force before any request sent after it is answered, so nothing that request causes is missed. */
  abstract open(
    key: SessionKey,
    receive: (message: FeedMessage, sizeBytes: number) => void,
  ): FeedSubscription;
}
