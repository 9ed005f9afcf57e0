import { untilStopped } from './until-stopped';

describe('untilStopped', () => {
  it('hands on everything of a run that ends by itself', async () => {
    async function* run() {
      yield 1;
      yield 2;
    }
    const seen: number[] = [];

    for await (const event of untilStopped(run(), new AbortController().signal)) seen.push(event);

    expect(seen).toEqual([1, 2]);
  });

  it('leaves a run behind that does not listen when it is stopped', async () => {
    const stop = new AbortController();
    async function* deaf() {
      yield 1;
      await new Promise(() => undefined);
    }
    const seen: number[] = [];
    const following = (async () => {
      for await (const event of untilStopped(deaf(), stop.signal)) seen.push(event);
    })();

    stop.abort(new Error('given back'));

    await expect(following).rejects.toThrow('given back');
  });
});
