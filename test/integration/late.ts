/** What a spec names before its hooks have made it. */
export class Late<T> {
  #it: T | undefined;

  get(): T {
    if (this.#it === undefined) throw new Error('it is there only once the tests run');
    return this.#it;
  }

  set(it: T): T {
    return (this.#it = it);
  }
}
