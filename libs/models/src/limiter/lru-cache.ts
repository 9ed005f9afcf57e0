/** What is kept for each of the names used last; what is in use is kept however many there are. */
export class LruCache<T> {
  readonly #kept = new Map<string, T>();

  constructor(
    private readonly create: (name: string) => T,
    private readonly isInUse: (value: T) => boolean,
    private readonly max = 1_000,
  ) {}

  of(name: string): T {
    const value = this.#kept.get(name) ?? this.create(name);
    this.#kept.delete(name);
    this.#forgetOldest();
    this.#kept.set(name, value);
    return value;
  }

  values(): IterableIterator<T> {
    return this.#kept.values();
  }

  #forgetOldest(): void {
    for (const [name, value] of this.#kept) {
      if (this.#kept.size < this.max) return;
      if (!this.isInUse(value)) this.#kept.delete(name);
    }
  }
}
