import { untilAborted } from './until-aborted';

describe('untilAborted', () => {
  it('hands on everything of a run that ends by itself', async () => {
    async function* run() {
      yield 1;
      yield 2;
    }
    const seen: number[] = [];

    for await (const event of untilAborted(run(), new AbortController().signal)) seen.push(event);

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
      for await (const event of untilAborted(deaf(), stop.signal)) seen.push(event);
    })();

    stop.abort(new Error('given back'));

    await expect(following).rejects.toThrow('given back');
  });

  it('asks a run for nothing more once it is over', async () => {
    const stop = new AbortController();
    const steps: number[] = [];
    async function* run() {
      for (let step = 1; ; step++) {
        steps.push(step);
        yield step;
      }
    }
    const events = untilAborted(run(), stop.signal);

    await events.next();
    stop.abort(new Error('enough'));

    await expect(events.next()).rejects.toThrow('enough');
    expect(steps).toEqual([1]);
  });
});
