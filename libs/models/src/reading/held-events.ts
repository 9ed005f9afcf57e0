import { GrowingBytes } from './growing-bytes';

const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
const EVENT = Buffer.from('event');
const DATA = Buffer.from('data');
const FIELDS = [DATA, EVENT];
/** Of an event's name, in bytes. */
const MAX_NAME = 200;

/** One event of a stream, its data in one line. */
export interface HeldEvent {
  /** Empty where it has none. */
  readonly name: string;
  readonly data: Uint8Array;
}

/**
 * Holds the bytes of an event stream until an event is whole, whatever pieces they come in: the SDKs search all that they
 * have of one again with each piece. https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export class HeldEvents {
  readonly #line = new GrowingBytes();
  readonly #data = new GrowingBytes();
  #name = '';
  #isFirstLine = true;
  #isAfterReturn = false;

  /** The events that these bytes end. What the last blank line leaves is no event. */
  *add(bytes: Uint8Array): Generator<HeldEvent, void> {
    let start = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte !== LINE_FEED && byte !== RETURN) continue;
      // The second half of one line end.
      const isSecondHalf =
        byte === LINE_FEED && at === start && this.#isAfterReturn && this.#line.length === 0;
      if (!isSecondHalf) {
        const event = this.#endLine(bytes.subarray(start, at));
        if (event) yield event;
      }
      this.#isAfterReturn = byte === RETURN;
      start = at + 1;
    }
    if (start < bytes.length) this.#line.add(bytes.subarray(start));
  }

  #endLine(end: Uint8Array): HeldEvent | undefined {
    const line = this.#wholeLine(end);
    const event = line.length === 0 ? this.#endEvent() : undefined;
    // Comments say that somebody is there, and there may be millions of them.
    if (line.length > 0 && line[0] !== COLON) this.#addField(line);
    this.#line.clear();
    this.#isFirstLine = false;
    return event;
  }

  #wholeLine(end: Uint8Array): Uint8Array {
    if (this.#line.length === 0) return end;
    this.#line.add(end);
    return this.#line.bytes;
  }

  #addField(line: Uint8Array): void {
    const start = this.#isFirstLine && startsWith(line, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    const field = FIELDS.find((name) => startsWith(line, name, start) && isEnded(line, start + name.length));
    if (!field) return;
    const colon = start + field.length;
    const value = line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
    if (field === EVENT) this.#name = Buffer.from(value.subarray(0, MAX_NAME)).toString();
    else this.#addData(value);
  }

  #addData(value: Uint8Array): void {
    // A line end is white space of JSON, as a space is.
    if (this.#data.length > 0) this.#data.add(Uint8Array.of(SPACE));
    this.#data.add(value);
  }

  #endEvent(): HeldEvent | undefined {
    const name = this.#name;
    this.#name = '';
    if (this.#data.length === 0) return undefined;
    const data = this.#data.bytes.slice();
    this.#data.clear();
    return data.every((byte) => byte === SPACE) ? undefined : { name, data };
  }
}

function startsWith(line: Uint8Array, start: Uint8Array, from = 0): boolean {
  return start.every((byte, at) => line[from + at] === byte);
}

/** A field ends with a colon, or with its line. */
function isEnded(line: Uint8Array, at: number): boolean {
  return at === line.length || line[at] === COLON;
}
