const LATE = Symbol('late');

/** Waits no longer than this; `late` says what then comes of it. What was waited for is left behind. */
export async function within<T>(timeoutMs: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), timeoutMs);
  });
  try {
    const outcome = await Promise.race([work, timeout]);
    return outcome === LATE ? late() : outcome;
  } finally {
    clearTimeout(timer);
  }
}
