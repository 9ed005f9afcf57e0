import { isBrokenOff } from '../failure/read-failure';

/** `ended`: why it ends is known, and what counts it may follow; `whole`: nothing of it is missing any more. */
export type AnswerState = 'open' | 'ended' | 'whole';

/** What may still come behind a whole answer comes at once, what counts an ended one soon. */
const GRACE_MS = { ended: 5_000, whole: 1_000 } as const;

/**
 * The pieces of an answer, which stands once its end is known: that the connection breaks then, or stays open, is no
 * failure of it, and nothing is once it is whole. `stateAfter` hears each piece. `idleTimeoutMs` is what a silence fails
 * an answer after: this one is over before.
 */
export async function* finishedAnswer<T>(
  pieces: AsyncIterable<T>,
  stateAfter: (piece: T) => AnswerState,
  idleTimeoutMs: number,
): AsyncGenerator<T, void> {
  const iterator = pieces[Symbol.asyncIterator]();
  for (let state: AnswerState = 'open'; ;) {
    const next = iterator.next();
    const piece = await (state === 'open' ? next : unlessBroken(next, state, idleTimeoutMs));
    if (!piece || piece.done === true) return;
    state = stateAfter(piece.value);
    yield piece.value;
  }
}

/** The state of an answer by what tells its end and what counts it, whichever comes first. */
export function toldBy<T>(
  isEnd: (piece: T) => boolean,
  isCount: (piece: T) => boolean,
): (piece: T) => AnswerState {
  let isEnded = false;
  let isCounted = false;
  return (piece) => {
    isEnded ||= isEnd(piece);
    isCounted ||= isCount(piece);
    if (!isEnded) return 'open';
    return isCounted ? 'whole' : 'ended';
  };
}

/** Nothing where it fails or takes longer; what is no failure of the connection still fails an answer that is not whole. */
async function unlessBroken<T>(
  next: Promise<T>,
  state: 'ended' | 'whole',
  idleTimeoutMs: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.min(GRACE_MS[state], idleTimeoutMs / 2), undefined);
  });
  const unbroken = next.catch((thrown: unknown) => {
    if (state === 'whole' || isBrokenOff(thrown)) return undefined;
    throw thrown;
  });
  // The connection is left by whoever asked, and what is waited for fails then.
  unbroken.catch(() => undefined);
  try {
    return await Promise.race([unbroken, late]);
  } finally {
    clearTimeout(timer);
  }
}
