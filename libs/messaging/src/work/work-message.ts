import { type Msg } from '@nats-io/transport-node';
import { nanos } from '@nats-io/transport-node';

/** Where a message stands: what its reply subject tells. */
export interface DeliveryInfo {
  /** 1 for the first delivery; a crash, a missed heartbeat and a nak each add one. */
  readonly deliveryCount: number;
  readonly streamSequence: number;
  readonly storedAtMs: number;
}

/**
 * A message of a work queue, and what the server can be told about it. Telling it twice, or after the server gave it
 * to somebody else, does nothing: acks are not fenced, Postgres is.
 */
export class WorkMessage {
  readonly info: DeliveryInfo;
  #isSettled = false;

  constructor(readonly raw: Msg) {
    this.info = readDeliveryInfo(raw.reply ?? '');
  }

  /** Done: the server forgets it. */
  ack(): void {
    this.#settle('+ACK');
  }

  /** Not done: the server delivers it again, to anyone, after the delay. */
  nak(delayMs = 0): void {
    this.#settle(`-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`);
  }

  /** Never again: the server forgets it and tells ADVISORIES. */
  term(reason: string): void {
    this.#settle(`+TERM ${reason.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  }

  /** Still at it: the time until the server delivers it to somebody else begins anew. */
  working(): void {
    if (!this.#isSettled) this.#tell('+WPI');
  }

  #settle(verdict: string): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#tell(verdict);
  }

  #tell(what: string): void {
    try {
      this.raw.respond(what);
    } catch {
      // The connection is closed for good: the server hears nothing and delivers the message to somebody else.
    }
  }
}

/**
 * `$JS.ACK.<stream>.<consumer>.<delivery>.<stream seq>.<consumer seq>.<time>.<pending>`; servers with domains put domain
 * and account before the stream, and may add tokens at the end.
 */
function readDeliveryInfo(reply: string): DeliveryInfo {
  const tokens = reply.split('.');
  const rest = tokens.slice(tokens.length >= 11 ? 6 : 4);
  const [deliveryCount = '1', streamSequence = '0', , storedAtNanos = '0'] = rest;
  return {
    deliveryCount: Number(deliveryCount),
    streamSequence: Number(streamSequence),
    storedAtMs: Number(storedAtNanos) / 1e6,
  };
}
