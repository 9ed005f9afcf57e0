/** Bounds how many tasks run at once; those above it wait in line, in order. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(private readonly limit: number) {}

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    // A slot given on stays taken, so nobody who comes in between gets past those in line.
    if (this.#taken >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken++;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    }
  }
}
