/**
 * The events of a run until it is stopped: then it rejects at once with the signal's reason. A model or a callback that
 * does not listen to its signal is left behind; it must not keep the slot of a run that is somebody else's by now.
 */
export async function* untilStopped<T>(
  events: AsyncGenerator<T, void>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const stopped = new Promise<never>((_resolve, reject) => {
    // A run is stopped with an Error that says why.
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  // Nobody waits for it once the run has ended by itself.
  stopped.catch(() => undefined);
  for (;;) {
    const next = await Promise.race([events.next(), stopped]);
    if (next.done) return;
    yield next.value;
  }
}
