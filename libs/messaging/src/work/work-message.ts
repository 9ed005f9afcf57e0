import { type Msg } from '@nats-io/transport-node';
import { nanos } from '@nats-io/transport-node';

/** On a copy of a message, as workers of an earlier version give calls back: `startedBefore` of the one it is a copy of. */
const STARTED_HEADER = 'Skein-Started';

/** Where a message stands: what its reply subject tells, and what those it is a copy of have behind them. */
export interface DeliveryInfo {
  /** 1 for the first delivery; a crash, a missed heartbeat and a nak each add one. */
  readonly deliveryCount: number;
  /** How often what it asks for may have been started by others before, also under messages this one is a copy of. */
  readonly startedBefore: number;
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
    const started = Number(raw.headers?.get(STARTED_HEADER) ?? 0);
    this.info = readDeliveryInfo(raw.reply ?? '', started);
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
function readDeliveryInfo(reply: string, started: number): DeliveryInfo {
  const tokens = reply.split('.');
  const rest = tokens.slice(tokens.length >= 11 ? 6 : 4);
  const [deliveryCount = '1', streamSequence = '0', , storedAtNanos = '0'] = rest;
  return {
    deliveryCount: Number(deliveryCount),
    startedBefore: started + Number(deliveryCount) - 1,
    streamSequence: Number(streamSequence),
    storedAtMs: Number(storedAtNanos) / 1e6,
  };
}
