/** Who decides when an item is taken, and is told of streams that ended. */
export interface MergeOrder<T> {
  turnOf(item: T): Promise<void>;
  ended(): void;
  close(): void;
}

/**
 * Several streams as one, each item as soon as it is there and has its turn. A stream is asked for its next item only
 * after its last one was taken, so an agent goes on only when its event was consumed (B43). The first failure ends all of
 * them and is thrown.
 */
export async function* mergeStreams<T>(
  streams: readonly AsyncGenerator<T, void>[],
  order: MergeOrder<T>,
): AsyncGenerator<T, void> {
  const pending = new Map(streams.map((stream) => [stream, next(stream, order)]));
  try {
    while (pending.size > 0) {
      const { stream, result } = await Promise.race(pending.values());
      if (result.done) {
        pending.delete(stream);
        continue;
      }
      yield result.value;
      pending.set(stream, next(stream, order));
    }
  } finally {
    order.close();
    endAll([...pending]);
  }
}

interface Next<T> {
  readonly stream: AsyncGenerator<T, void>;
  readonly result: IteratorResult<T, void>;
}

async function next<T>(stream: AsyncGenerator<T, void>, order: MergeOrder<T>): Promise<Next<T>> {
  const result = await stream.next();
  if (result.done) order.ended();
  else await order.turnOf(result.value);
  return { stream, result };
}

/** Nobody reads what is still to come. A stream that is under way ends at its next item; it is not waited for. */
function endAll<T>(open: readonly [AsyncGenerator<T, void>, Promise<Next<T>>][]): void {
  for (const [stream, underWay] of open) {
    // Its failure comes second to the one that ends the merge.
    underWay.catch(() => undefined);
    stream.return().catch(() => undefined);
  }
}
