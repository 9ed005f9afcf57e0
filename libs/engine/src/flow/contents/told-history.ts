import { type Content, type Event } from '@skein/contracts';
import { type ContentsView } from './contents-view';
import { converted } from './convert-foreign';
import { isForeign } from './foreign-author';
import { GrowingPairing, pairResponses } from './pair-responses';
import { arranged } from './rearrange-history';
import { rearrangeLatestResponse } from './rearrange-latest-response';
import { selected } from './select-events';

/** Of an event's place in a history, its contents and its pairing: about what V8 takes. */
const PLACE_BYTES = 600;

/** Whether an event changes what is told of those before it: by taking them back, or by standing for them (B1, B8). */
export function changesHistory({ actions }: Event): boolean {
  return actions.rewindBeforeInvocationId !== undefined || actions.compaction !== undefined;
}

/**
 * What `buildContents` makes of a log that grows, for an agent with the whole history: each event is looked at once, so a
 * request costs what came since the one before. A log whose events change what stands before them is not
 * for it.
 */
export class ToldHistory {
  /** Of the log. */
  #taken = 0;
  #last: Event | undefined;
  #bytes = 0;
  /** As the agent sees them. */
  readonly #history: Event[] = [];
  /** Of the events before they are told as another's; made when there is one. */
  #ownPairing: GrowingPairing | undefined;
  readonly #pairing = new GrowingPairing();
  readonly #contents: Content[] = [];
  /** Where in the contents those of each event begin. */
  readonly #starts: number[] = [];
  /** Of the events that ask for calls. */
  readonly #places = new Map<Event, number>();

  constructor(private readonly view: ContentsView) {}

  /** About how much memory it takes beside the events of its log. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes in what is new in its log; whether it could: what it took before has to be there, and to stay as it is. */
  takeIn(events: readonly Event[]): boolean {
    // Something that came in between, or another log, moves the last one from its place.
    if (this.#taken > 0 && events[this.#taken - 1] !== this.#last) return false;
    for (const event of events.slice(this.#taken)) {
      if (changesHistory(event)) return false;
      this.#take(event);
      this.#taken += 1;
      this.#last = event;
    }
    return true;
  }

  /** As of what was taken in; to be read only. Throws what `buildContents` does. */
  contents(): readonly Content[] {
    const told = rearrangeLatestResponse(this.#history, this.#pairing);
    const end = this.#starts[told.length] ?? this.#contents.length;
    return this.#contents.slice(0, end);
  }

  #take(event: Event): void {
    const visible = selected(event, this.view);
    if (!visible) return;
    if (isForeign(visible, this.view.agentName)) this.#ownPairing ??= pairResponses(this.#history);
    this.#ownPairing?.add(visible);
    const told = this.#ownPairing ? converted(visible, this.#ownPairing, this.view) : visible;
    for (const one of [told].flat()) {
      this.#bytes += PLACE_BYTES + (one === event ? 0 : textBytes(one));
      this.#tell(one);
    }
  }

  #tell(event: Event): void {
    const place = this.#history.push(event) - 1;
    this.#pairing.add(event);
    if (this.#pairing.exchanges.has(event)) this.#places.set(event, place);
    // Its responses are told where their calls are: everything from there on is told anew.
    const asked = (this.#pairing.answered.get(event) ?? []).map((call) => call?.exchange.asked);
    const first = Math.min(place, ...asked.map((one) => (one && this.#places.get(one)) ?? place));
    this.#contents.length = this.#starts[first] ?? this.#contents.length;
    this.#starts.length = first;
    for (const one of this.#history.slice(first)) {
      this.#starts.push(this.#contents.length);
      this.#contents.push(...arranged(one, this.#pairing));
    }
  }
}

/** Of what is told in other words than those of the log. */
function textBytes({ content }: Event): number {
  return (content?.parts ?? []).reduce((sum, { text = '' }) => sum + Buffer.byteLength(text), 0);
}
