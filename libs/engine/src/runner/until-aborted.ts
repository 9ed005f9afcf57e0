/**
 * The events of a run until its signal ends it: then it rejects at once with the signal's reason. A model or a callback
 * that does not listen is left behind; nobody waits for what is not wanted any more.
 */
export async function* untilAborted<T>(
  events: AsyncGenerator<T, void>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    // A run is ended with an Error that says why.
    abort = () => reject(signal.reason as Error);
  });
  // Nobody waits for it once the run has ended by itself.
  aborted.catch(() => undefined);
  signal.addEventListener('abort', abort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([events.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Of one that is left behind this takes effect once it comes to its next event.
    events.return().catch(() => undefined);
  }
}
