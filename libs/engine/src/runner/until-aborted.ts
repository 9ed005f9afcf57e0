/**
 * The events of a run until its signal ends it: then it rejects at once with the signal's reason. A model or a callback
 * that does not listen is left behind; nobody waits for what is not wanted any more.
 */
export async function* untilAborted<T>(
  events: AsyncGenerator<T, void>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  let stop: (reason: Error) => void = () => undefined;
  // A promise of its own for each event: a race with one that lasts as long as the run would keep all events until its end.
  const nextOrAbort = (): Promise<IteratorResult<T, void>> =>
    new Promise((resolve, reject) => {
      stop = reject;
      events.next().then(resolve, reject);
    });
  // A run is ended with an Error that says why.
  const abort = (): void => stop(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await nextOrAbort();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Of one that is left behind this takes effect once it comes to its next event.
    events.return().catch(() => undefined);
  }
}
