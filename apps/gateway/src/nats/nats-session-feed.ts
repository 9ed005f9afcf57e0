import { eventMessageSchema, partialFrameSchema, subjects, type SessionKey } from '@skein/contracts';
import { subscribeTogether, type MessagingConnection } from '@skein/messaging';
import { SessionFeed, type FeedMessage, type FeedSubscription } from '../session-feed';

/**
 * A session's subjects over core NATS: a stream of a client costs two subscriptions and no consumer. They are sent on
 * the connection that requests go out on, so the server knows of them before it sees such a request. A runner sends the
 * chunks of an answer before it stores the answer, and they are heard in that order.
 */
export class NatsSessionFeed extends SessionFeed {
  constructor(private readonly connection: MessagingConnection) {
    super();
  }

  override open(
    key: SessionKey,
    receive: (message: FeedMessage, sizeBytes: number) => void,
  ): FeedSubscription {
    const subscription = subscribeTogether(this.connection, [
      {
        subject: subjects.event(key),
        isTraced: true,
        receive: ({ decode, sizeBytes }) =>
          whenRead(decode(eventMessageSchema), (message) => receive({ kind: 'event', message }, sizeBytes)),
      },
      {
        subject: subjects.partial(key),
        receive: ({ decode, sizeBytes }) =>
          whenRead(decode(partialFrameSchema), (frame) => receive({ kind: 'partial', frame }, sizeBytes)),
      },
    ]);
    // What was sent while the connection was gone went to nobody.
    const forgetReconnects = this.connection.onReconnect(() => receive({ kind: 'missed' }, 0));
    return {
      close: () => {
        forgetReconnects();
        void subscription.close();
      },
    };
  }
}

/** At once for what is there: chunks come by the thousand, and a wait for each costs more than all else that is done with it. */
function whenRead<Body>(body: Body | Promise<Body>, take: (body: Body) => void): Promise<void> | undefined {
  if (body instanceof Promise) return body.then(take);
  take(body);
  return undefined;
}
