import { eventMessageSchema, partialFrameSchema, subjects, type SessionKey } from '@skein/contracts';
import { subscribeTogether, type MessagingConnection, type TogetherSubscription } from '@skein/messaging';
import { SessionFeed, type FeedMessage, type FeedSubscription } from '../session-feed';
import { IdleSubscriptions } from './idle-subscriptions';

type Receive = (message: FeedMessage, sizeBytes: number) => void;

export interface SubscriptionState {
  /** Whether the server is known to have the subscription: something was answered that was sent behind it. */
  isInForce: boolean;
}

/** A session that is listened to, and who reads it: nobody, while it waits for its next turn. */
interface HeardSession extends SubscriptionState {
  readonly receivers: Set<Receive>;
  readonly subscription: TogetherSubscription;
}

/**
 * A session's subjects over core NATS: all streams of a session together cost two subscriptions and no consumer, and the next turn
 * none where it follows soon (ADR 29). They are sent on the connection that requests go out on, so the server knows of
 * them before it sees such a request; until one of those was answered, a turn is submitted on it. A runner sends the chunks of an answer before it stores the answer, and they are
 * heard in that order.
 */
export class NatsSessionFeed extends SessionFeed {
  readonly #heard = new Map<string, HeardSession>();
  readonly #idle = new IdleSubscriptions((name) => this.#forget(name));

  constructor(private readonly connection: MessagingConnection) {
    super();
    // What was sent while the connection was gone went to nobody.
    connection.onReconnect(() => {
      for (const heard of this.#heard.values()) {
        heard.isInForce = false;
        give(heard.receivers, { kind: 'missed' }, 0);
      }
    });
  }

  /** Of a session that somebody reads, or lately did. */
  subscriptionOf(key: SessionKey): SubscriptionState | undefined {
    return this.#heard.get(subjects.event(key));
  }

  override open(key: SessionKey, receive: Receive): FeedSubscription {
    const name = subjects.event(key);
    const { receivers, subscription } = this.#hear(name, key);
    receivers.add(receive);
    this.#idle.delete(name);
    return {
      close: () => {
        if (!receivers.delete(receive) || receivers.size > 0) return;
        if (subscription.isRefused()) this.#forget(name);
        else this.#idle.add(name);
      },
    };
  }

  #hear(name: string, key: SessionKey): HeardSession {
    const known = this.#heard.get(name);
    if (known) return known;
    const receivers = new Set<Receive>();
    const subscription = subscribeTogether(this.connection, [
      {
        subject: name,
        isTraced: true,
        receive: ({ decode, sizeBytes }) =>
          receivers.size === 0
            ? undefined
            : whenRead(decode(eventMessageSchema), (message) =>
                give(receivers, { kind: 'event', message }, sizeBytes),
              ),
      },
      {
        subject: subjects.partial(key),
        receive: ({ decode, sizeBytes }) =>
          receivers.size === 0
            ? undefined
            : whenRead(decode(partialFrameSchema), (frame) =>
                give(receivers, { kind: 'partial', frame }, sizeBytes),
              ),
      },
    ]);
    const heard = { receivers, subscription, isInForce: false };
    this.#heard.set(name, heard);
    return heard;
  }

  #forget(name: string): void {
    void this.#heard.get(name)?.subscription.close();
    this.#heard.delete(name);
  }
}

function give(receivers: ReadonlySet<Receive>, message: FeedMessage, sizeBytes: number): void {
  for (const receive of receivers) receive(message, sizeBytes);
}

/** At once for what is there: chunks come by the thousand, and a wait for each costs more than all else that is done with it. */
function whenRead<Body>(body: Body | Promise<Body>, take: (body: Body) => void): Promise<void> | undefined {
  if (body instanceof Promise) return body.then(take);
  take(body);
  return undefined;
}
