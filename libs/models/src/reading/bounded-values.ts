import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from '@skein/contracts';
import { tooLarge } from './bad-answer';

/** What providers put around the values that are stored. */
const LEVELS_OF_WIRE = 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts what JSON would be when parsed, from its bytes as they come and without parsing them: millions of values would
 * take a runner's memory and time before anything could refuse them.
 */
export class BoundedValues {
  #depth = 0;
  #values = 0;
  #isInText = false;
  #isEscaped = false;

  /** Whether as much was closed as was opened; also before anything was. */
  get isClosed(): boolean {
    return this.#depth === 0 && !this.#isInText;
  }

  /** Throws `model.too-large`. What is no JSON is counted as if it were. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (this.#isInText) this.#addInText(byte);
      else this.#addOutside(byte);
    }
  }

  #addInText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
  }

  #addOutside(byte: number): void {
    if (byte === QUOTE) this.#isInText = true;
    else if (byte === COMMA) this.#count();
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open();
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#depth -= 1;
  }

  #open(): void {
    this.#count();
    this.#depth += 1;
    if (this.#depth > MAX_JSON_DEPTH + LEVELS_OF_WIRE) {
      throw tooLarge(`The model's answer is nested deeper than ${MAX_JSON_DEPTH} levels.`);
    }
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > MAX_JSON_VALUES) {
      throw tooLarge(`The model's answer holds more than ${MAX_JSON_VALUES} values.`);
    }
  }
}
