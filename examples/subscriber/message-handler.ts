import { type JsMsg } from '@nats-io/jetstream';
import { type EventLog, type Position } from './event-log';
import { type GatewayReader, ReadRefused } from './gateway-reader';
import { eventOf, placeOf } from './message';

/** A message that is not acked for so long is delivered again. */
export const ACK_WAIT_MS = 30_000;
const RETRY_MS = 5_000;

/** What is read of a message and done with it. */
export type ReceivedMessage = Pick<JsMsg, 'subject' | 'headers' | 'json' | 'info' | 'ack' | 'nak' | 'term'>;

/**
 * Applies each event once and in the order of its session. The stream delivers at least once, may have lost what was in
 * it, and may repeat from somewhere before: only the position kept with the effect decides.
 */
export class MessageHandler {
  constructor(
    private readonly log: EventLog,
    private readonly gateway: Pick<GatewayReader, 'eventsAfter'>,
    private readonly say: (line: string) => void,
  ) {}

  /** Acks after the effect is stored. One message at a time, so that two of a session never meet. */
  async handle(message: ReceivedMessage): Promise<void> {
    const place = placeOf(message);
    if (place === undefined) {
      message.term('not an event of a session');
      return;
    }
    const position = await this.log.positionOf(place);
    const event = eventOf(message);
    if (place.seq <= position.seq) message.ack();
    else if (place.seq === position.seq + 1 && event !== undefined) {
      await this.#append(position, [{ seq: place.seq, event }]);
      message.ack();
    } else await this.#fillGap(message, position, place.seq);
  }

  /**
   * Reads on in every session known here: a stream that was lost, or kept its events for a week only, does not tell of
   * those whose last events it lost.
   */
  async catchUp(): Promise<void> {
    for await (const position of this.log.positions()) {
      try {
        await this.#readOn(position);
      } catch (error) {
        if (!(error instanceof ReadRefused)) throw error;
        this.say(`${nameOf(position)} is not read on: ${error.message}`);
      }
    }
  }

  async #fillGap(message: ReceivedMessage, position: Position, seq: number): Promise<void> {
    try {
      const reached = await this.#readOn(position);
      if (reached.seq < seq) throw new Error(`the gateway has no event above ${reached.seq}`);
      message.ack();
    } catch (error) {
      if (error instanceof ReadRefused && error.isGone) await this.#passGap(message, position, seq);
      else {
        this.say(`${nameOf(position)} waits for event ${position.seq + 1}: ${String(error)}`);
        message.nak(RETRY_MS);
      }
    }
  }

  /** The session was deleted. What lies between may still be delivered again; after that it cannot be had any more. */
  async #passGap(message: ReceivedMessage, position: Position, seq: number): Promise<void> {
    if (message.info.deliveryCount === 1) {
      message.nak(ACK_WAIT_MS + RETRY_MS);
      return;
    }
    const event = eventOf(message);
    this.say(`${nameOf(position)} was deleted: it lacks events above ${position.seq} and up to ${seq}`);
    if (event !== undefined) await this.#append(position, [{ seq, event }]);
    message.ack();
  }

  async #readOn(position: Position): Promise<Position> {
    for (;;) {
      const { lastSeq, events } = await this.gateway.eventsAfter(position);
      position = await this.#append(position, events);
      if (events.length === 0 || position.seq >= lastSeq) return position;
    }
  }

  async #append(
    position: Position,
    events: readonly { readonly seq: number; readonly event: unknown }[],
  ): Promise<Position> {
    const reached = await this.log.append(position, events);
    if (reached.seq > position.seq) this.say(`${nameOf(position)} ${position.seq + 1}-${reached.seq}`);
    return reached;
  }
}

function nameOf({ appName, userId, sessionId }: Position): string {
  return `${appName}/${userId}/${sessionId}`;
}
