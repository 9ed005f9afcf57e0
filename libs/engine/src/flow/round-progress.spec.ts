import { RoundProgress } from './round-progress';

function aRound(): { answered: Promise<string>; answer: (value: string) => void } {
  let answer: (value: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => (answer = resolve));
  return { answered, answer };
}

const of = (value: number) => ({ callId: 'c', tool: 't', value });

describe('RoundProgress', () => {
  it('yields what is told while it is waited for, then the answer', async () => {
    const { answered, answer } = aRound();
    const progress = new RoundProgress();
    const telling = progress.until(answered);

    const first = telling.next();
    progress.tell(0, of(1));
    expect(await first).toEqual({ done: false, value: of(1) });
    const last = telling.next();
    answer('done');

    expect(await last).toEqual({ done: true, value: 'done' });
  });

  it('reacts to the answer of its round once, however often it is told of', async () => {
    const { answered, answer } = aRound();
    const reactions = jest.spyOn(answered, 'then');
    const progress = new RoundProgress();
    const telling = progress.until(answered);

    for (let n = 0; n < 1_000; n++) {
      const next = telling.next();
      progress.tell(0, of(n));
      await next;
    }

    expect(reactions).toHaveBeenCalledTimes(1);
    answer('done');
    expect(await telling.next()).toMatchObject({ done: true });
  });

  it('rejects as its round does', async () => {
    const telling = new RoundProgress().until(Promise.reject(new Error('broken')));

    await expect(telling.next()).rejects.toThrow('broken');
  });
});
