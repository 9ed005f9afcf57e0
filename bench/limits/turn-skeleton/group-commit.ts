const AT_MOST = 200;
const UNDER_WAY = 2;

interface Waiting<T> {
  readonly key: string;
  readonly value: T;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** What a statement answers of a session. */
export interface Row {
  readonly key: string;
  readonly epoch: number;
}

/** One statement for all that came while the two before it ran; without a timer, so that nobody waits when alone. */
export class GroupCommit<T> {
  #waiting: Waiting<T>[] = [];
  #underWay = 0;

  /** @param write answers with a row, by its key, for each value it took. */
  constructor(
    private readonly write: (keys: string[], values: readonly T[]) => Promise<ReadonlyMap<string, Row>>,
  ) {}

  /** Resolves to what was written for the key; undefined when the statement did not take it. */
  add(key: string, value: T): Promise<Row | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, value, resolve, reject });
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    if (this.#underWay >= UNDER_WAY || this.#waiting.length === 0) return;
    const batch = this.#take();
    this.#underWay++;
    try {
      const rows = await this.write(
        [...batch.keys()],
        Array.from(batch.values(), ({ value }) => value),
      );
      for (const [key, { resolve }] of batch) resolve(rows.get(key));
    } catch (error) {
      for (const { reject } of batch.values()) reject(error);
    }
    this.#underWay--;
    void this.#flush();
  }

  /** One value of a key at a time: a statement cannot write the same row twice. */
  #take(): Map<string, Waiting<T>> {
    const batch = new Map<string, Waiting<T>>();
    const left: Waiting<T>[] = [];
    for (const one of this.#waiting) {
      if (batch.size >= AT_MOST || batch.has(one.key)) left.push(one);
      else batch.set(one.key, one);
    }
    this.#waiting = left;
    return batch;
  }
}
