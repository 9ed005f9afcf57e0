/** Does something once nothing was begun for so long after the last thing ended. */
export class AtRest {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly afterMs: number,
    private readonly work: () => void,
  ) {}

  async during<T>(busy: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    try {
      return await busy();
    } finally {
      this.#timer = setTimeout(this.work, this.afterMs).unref();
    }
  }
}
