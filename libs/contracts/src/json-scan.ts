const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts what JSON would be when parsed, byte by byte and without parsing it, which takes seconds for millions of levels or
 * values. What is no JSON is counted as if it were.
 */
export class JsonScan {
  #depth = 0;
  #values = 0;
  #isInText = false;
  #isEscaped = false;

  /** How many lists and objects are open. */
  get depth(): number {
    return this.#depth;
  }

  /** How many there were so far, give or take those that hold nothing. */
  get values(): number {
    return this.#values;
  }

  get isInText(): boolean {
    return this.#isInText;
  }

  add(byte: number): void {
    if (this.#isInText) this.#addInText(byte);
    else this.#addOutside(byte);
  }

  #addInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
  }

  #addOutside(byte: number): void {
    if (byte === QUOTE) this.#isInText = true;
    else if (byte === COMMA) this.#values += 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open();
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth -= 1;
  }

  #open(): void {
    this.#values += 1;
    this.#depth += 1;
  }
}
