/** What may still come behind a whole answer comes at once. */
const GRACE_MS = 1_000;

/**
 * The pieces of an answer, which stands once it is whole: what goes wrong with the connection then, or that it stays open,
 * is no failure of it. `isWhole` hears each piece and answers whether nothing of the answer is missing any more.
 */
export async function* finishedAnswer<T>(
  pieces: AsyncIterable<T>,
  isWhole: (piece: T) => boolean,
  graceMs = GRACE_MS,
): AsyncGenerator<T, void> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (let isFinished = false; ;) {
    const next = iterator.next();
    const piece = await (isFinished ? unlessBroken(next, graceMs) : next);
    if (!piece || piece.done === true) return;
    isFinished ||= isWhole(piece.value);
    yield piece.value;
  }
}

/** Nothing where it fails or takes longer. */
async function unlessBroken<T>(next: Promise<T>, graceMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, graceMs, undefined);
  });
  try {
    // The connection is left by whoever asked, and what is waited for fails then.
    return await Promise.race([next.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
