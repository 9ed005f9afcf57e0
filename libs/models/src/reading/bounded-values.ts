import { JsonScan, MAX_JSON_DEPTH, MAX_JSON_VALUES, MAX_WIRE_DEPTH } from '@skein/contracts';
import { tooLarge } from './bad-answer';

/**
 * Counts what JSON would be when parsed, from its bytes as they come and without parsing them: millions of values would
 * take a runner's memory and time before anything could refuse them.
 */
export class BoundedValues {
  readonly #scan = new JsonScan();

  /** Whether as much was closed as was opened; also before anything was. */
  get isClosed(): boolean {
    return this.#scan.depth === 0 && !this.#scan.isInText;
  }

  /** Throws `model.too-large`. What is no JSON is counted as if it were. */
  add(bytes: Uint8Array): void {
    const scan = this.#scan;
    for (const byte of bytes) {
      scan.add(byte);
      if (scan.depth > MAX_WIRE_DEPTH) {
        throw tooLarge(`The model's answer is nested deeper than ${MAX_JSON_DEPTH} levels.`);
      }
      if (scan.values > MAX_JSON_VALUES) {
        throw tooLarge(`The model's answer holds more than ${MAX_JSON_VALUES} values.`);
      }
    }
  }
}
