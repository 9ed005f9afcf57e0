import { existsSync, readFileSync } from 'node:fs';

/** A file of JSON lines that other processes append to. */
export class JsonLines<T> {
  #read = 0;

  constructor(private readonly file: string) {}

  /** The lines that were appended since the last look. */
  newLines(): T[] {
    if (!existsSync(this.file)) return [];
    const whole = readFileSync(this.file);
    const end = whole.lastIndexOf('\n') + 1;
    const text = whole.subarray(this.#read, end).toString();
    this.#read = Math.max(this.#read, end);
    // Written by our own programs.
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as T);
  }
}
