import { eventMessageSchema, partialFrameSchema, subjects, type SessionKey } from '@skein/contracts';
import { subscribeCore, type MessagingConnection } from '@skein/messaging';
import { SessionFeed, type FeedMessage, type FeedSubscription } from '../session-feed';

/**
 * A session's subjects over core NATS: a stream of a client costs two subscriptions and no consumer. They are sent on
 * the connection that requests go out on, so the server knows of them before it sees such a request.
 */
export class NatsSessionFeed extends SessionFeed {
  constructor(private readonly connection: MessagingConnection) {
    super();
  }

  override open(key: SessionKey, receive: (message: FeedMessage) => void): FeedSubscription {
    const events = subscribeCore(this.connection, subjects.event(key), eventMessageSchema, (message) =>
      receive({ kind: 'event', message }),
    );
    const partials = subscribeCore(this.connection, subjects.partial(key), partialFrameSchema, (frame) =>
      receive({ kind: 'partial', frame }),
    );
    // What was sent while the connection was gone went to nobody.
    const forgetReconnects = this.connection.onReconnect(() => receive({ kind: 'missed' }));
    return {
      close: () => {
        forgetReconnects();
        void events.close();
        void partials.close();
      },
    };
  }
}
