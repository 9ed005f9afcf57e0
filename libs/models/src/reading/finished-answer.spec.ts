import { collect } from '@skein/testing';
import { finishedAnswer } from './finished-answer';

const isWhole = (piece: string): boolean => piece === 'stop';

async function* saying(pieces: readonly string[], end: () => Promise<void> | void) {
  yield* pieces;
  await end();
}

const breaks = (): void => {
  throw new Error('broken off');
};
const hangs = (): Promise<void> => new Promise(() => undefined);

describe('an answer that is whole', () => {
  it.each([
    ['breaks', breaks],
    ['hangs', hangs],
  ])('stands when its connection %s', async (_what, end) => {
    const pieces = ['a', 'stop', 'usage'];

    expect(await collect(finishedAnswer(saying(pieces, end), isWhole, 20))).toEqual(pieces);
  });

  it('fails with its connection before', async () => {
    await expect(collect(finishedAnswer(saying(['a'], breaks), isWhole, 20))).rejects.toThrow('broken off');
  });
});
