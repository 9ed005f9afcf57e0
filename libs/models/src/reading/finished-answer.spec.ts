import { collect } from '@skein/testing';
import { finishedAnswer, toldBy } from './finished-answer';

const IDLE_MS = 40;

async function* saying(pieces: readonly string[], end: () => Promise<void> | void) {
  yield* pieces;
  await end();
}

const fails = (): void => {
  throw new Error('no such thing');
};
const breaks = (): void => {
  throw new TypeError('terminated');
};
const hangs = (): Promise<void> => new Promise(() => undefined);

function read(pieces: readonly string[], end: () => Promise<void> | void, idleTimeoutMs = IDLE_MS) {
  const state = toldBy<string>(
    (piece) => piece === 'stop',
    (piece) => piece === 'usage',
  );
  return collect(finishedAnswer(saying(pieces, end), state, idleTimeoutMs));
}

describe('an answer whose end is known', () => {
  it.each([
    ['whole, when its connection breaks', ['a', 'stop', 'usage'], breaks],
    ['whole, when its connection hangs', ['a', 'stop', 'usage'], hangs],
    ['whole, when what comes behind fails', ['a', 'stop', 'usage', 'more'], fails],
    ['whole in another order, when it fails', ['a', 'usage', 'stop'], fails],
    ['not counted, when its connection breaks', ['a', 'stop', 'more'], breaks],
    ['not counted, when its connection hangs', ['a', 'stop'], hangs],
  ])('stands where it is %s', async (_what, pieces, end) => {
    expect(await read(pieces, end)).toEqual(pieces);
  });

  it('fails with its connection before, though it is counted', async () => {
    await expect(read(['a', 'usage'], breaks)).rejects.toThrow('terminated');
  });

  it('fails with what is said behind its end where it is not counted', async () => {
    await expect(read(['a', 'stop'], fails)).rejects.toThrow('no such thing');
  });

  it('is waited for half as long as a silence may last, at most for a second, or five where it is not counted', async () => {
    const timer = jest.spyOn(global, 'setTimeout');
    const waited = async (pieces: readonly string[], idleTimeoutMs: number): Promise<unknown> => {
      timer.mockClear();
      await read(pieces, breaks, idleTimeoutMs);
      return timer.mock.calls.map(([, ms]) => ms).at(-1);
    };

    expect(await waited(['stop', 'usage'], 800)).toBe(400);
    expect(await waited(['stop', 'usage'], 120_000)).toBe(1_000);
    expect(await waited(['stop'], 800)).toBe(400);
    expect(await waited(['stop'], 120_000)).toBe(5_000);
    timer.mockRestore();
  });
});
