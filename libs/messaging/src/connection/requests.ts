import { randomUUID } from 'node:crypto';
import { errors, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';

export interface SentRequest {
  readonly data: Uint8Array;
  readonly headers?: MsgHdrs | undefined;
  readonly timeoutMs: number;
}

interface Waiting {
  readonly subject: string;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (answer: Msg) => void;
  readonly reject: (error: Error) => void;
}

const NO_RESPONDERS = 503;

/**
 * The requests of one connection, all answered on one subscription. The client's own make an error with its stack for each
 * one that is answered, and four promises.
 */
export class Requests {
  readonly #waiting = new Map<string, Waiting>();
  #inbox: string | undefined;

  constructor(
    private readonly nats: NatsConnection,
    private readonly newInbox: () => string,
  ) {
    // Nobody answers any more.
    void nats.closed().then(() => this.#rejectAll(new errors.ClosedConnectionError()));
  }

  /**
   * The first answer. Rejects with the client's own errors, as its `request` does: with a `RequestError` where nobody is
   * there to answer, a `TimeoutError`, what the connection is closed by, or what the server does not permit.
   */
  request(subject: string, { data, headers, timeoutMs }: SentRequest): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const inbox = this.#listen();
      // Not to be guessed by who answers another one.
      const token = randomUUID();
      this.nats.publish(subject, data, { reply: inbox + token, headers });
      const late = (): void => this.#take(token)?.reject(new errors.TimeoutError());
      this.#waiting.set(token, { subject, timer: setTimeout(late, timeoutMs), resolve, reject });
    });
  }

  /** The server does not let this user send to a subject: nobody will answer what was sent there. */
  refused(subject: string, error: Error): void {
    for (const [token, waiting] of this.#waiting) {
      if (waiting.subject === subject) this.#take(token)?.reject(error);
    }
  }

  /** What the inbox begins with, heard from the first request on; the client listens again after a reconnect. */
  #listen(): string {
    if (this.#inbox !== undefined) return this.#inbox;
    const inbox = `${this.newInbox()}.`;
    this.nats.subscribe(`${inbox}*`, {
      callback: (error, message) => {
        if (error) this.#deaf(error);
        else this.#answered(message.subject.slice(inbox.length), message);
      },
    });
    this.#inbox = inbox;
    return inbox;
  }

  #answered(token: string, message: Msg): void {
    const waiting = this.#take(token);
    if (!waiting) return;
    if (message.data.length > 0 || message.headers?.code !== NO_RESPONDERS) waiting.resolve(message);
    else waiting.reject(nobodyAnswers(waiting.subject));
  }

  /** The subscription is no more: the next request makes another. */
  #deaf(error: Error): void {
    this.#inbox = undefined;
    this.#rejectAll(error);
  }

  #rejectAll(error: Error): void {
    for (const token of this.#waiting.keys()) this.#take(token)?.reject(error);
  }

  /** Once: an answer that comes late, or twice, finds nobody. */
  #take(token: string): Waiting | undefined {
    const waiting = this.#waiting.get(token);
    this.#waiting.delete(token);
    clearTimeout(waiting?.timer);
    return waiting;
  }
}

function nobodyAnswers(subject: string): Error {
  const cause = new errors.NoRespondersError(subject);
  return new errors.RequestError(cause.message, { cause });
}
