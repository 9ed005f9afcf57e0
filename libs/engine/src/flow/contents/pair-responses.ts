import { type Event, type FunctionCall, type FunctionResponse } from '@skein/contracts';

/** An event that asks for calls, and the events that answer some of them, in the log's order. */
export interface Exchange {
  readonly asked: Event;
  readonly calls: readonly AskedCall[];
  readonly answeredBy: readonly Event[];
}

/** One call of an event; two calls may have the same id. */
export interface AskedCall {
  readonly exchange: Exchange;
  readonly isAnswered: boolean;
}

/** Which response answers which call. */
export interface Pairing {
  /** By the event that asks. */
  readonly exchanges: ReadonlyMap<Event, Exchange>;
  /** By the event that answers: the call of each of its parts, and nothing for a part that answers none. */
  readonly answered: ReadonlyMap<Event, readonly (AskedCall | undefined)[]>;
}

/**
 * Finds each response its call. Models repeat ids, within a session too, so an id alone does not do: a response belongs
 * to the nearest preceding call of its id that has none yet; when all have one, it is news about the latest of them.
 */
export function pairResponses(events: readonly Event[]): GrowingPairing {
  const pairing = new GrowingPairing();
  for (const event of events) pairing.add(event);
  return pairing;
}

/** A pairing of events as they come, one after the other. */
export class GrowingPairing implements Pairing {
  readonly exchanges = new Map<Event, OpenExchange>();
  readonly answered = new Map<Event, (AskedCall | undefined)[]>();
  readonly #calls = new Map<string, CallsOfId>();

  add(event: Event): void {
    event.content?.parts?.forEach((part, index) => {
      if (part.functionCall) ask(part.functionCall, exchangeOf(event, this.exchanges), this.#calls);
      if (!part.functionResponse) return;
      const call = answer(part.functionResponse, event, this.#calls);
      const owners = this.answered.get(event) ?? [];
      owners[index] = call;
      this.answered.set(event, owners);
    });
  }
}

interface OpenExchange extends Exchange {
  readonly calls: OpenCall[];
  readonly answeredBy: Event[];
}

interface OpenCall extends AskedCall {
  readonly exchange: OpenExchange;
  isAnswered: boolean;
}

interface CallsOfId {
  /** Without a response yet, one list for each event, so that calls of one event are answered in their order. */
  readonly open: OpenCall[][];
  latest: OpenCall;
}

function exchangeOf(event: Event, exchanges: Map<Event, OpenExchange>): OpenExchange {
  const known = exchanges.get(event);
  if (known) return known;
  const exchange: OpenExchange = { asked: event, calls: [], answeredBy: [] };
  exchanges.set(event, exchange);
  return exchange;
}

function ask(call: FunctionCall, exchange: OpenExchange, calls: Map<string, CallsOfId>): void {
  const asked: OpenCall = { exchange, isAnswered: false };
  exchange.calls.push(asked);
  const key = keyOf(call);
  const sameId = calls.get(key);
  if (!sameId) {
    calls.set(key, { open: [[asked]], latest: asked });
    return;
  }
  const last = sameId.open.at(-1);
  if (last?.[0]?.exchange === exchange) last.push(asked);
  else sameId.open.push([asked]);
  sameId.latest = asked;
}

function answer(
  response: FunctionResponse,
  event: Event,
  calls: ReadonlyMap<string, CallsOfId>,
): AskedCall | undefined {
  const sameId = calls.get(keyOf(response));
  if (!sameId) return undefined;
  const nearest = sameId.open.at(-1);
  const call = nearest?.shift() ?? sameId.latest;
  if (nearest?.length === 0) sameId.open.pop();
  call.isAnswered = true;
  const { answeredBy } = call.exchange;
  if (answeredBy.at(-1) !== event) answeredBy.push(event);
  return call;
}

/** Events that another system stored may have calls without an id; then the name is all there is. */
function keyOf({ id, name }: { id?: string | undefined; name: string }): string {
  return id ?? name;
}
