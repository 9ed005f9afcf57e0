import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { untilAborted } from './until-aborted';

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

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

  it('keeps none of the events it has handed on', async () => {
    const made: WeakRef<object>[] = [];
    async function* run() {
      for (;;) {
        const event = {};
        made.push(new WeakRef(event));
        yield event;
      }
    }
    const events = untilAborted(run(), new AbortController().signal);

    for (let n = 0; n < 10; n++) await events.next();
    // A WeakRef holds what it was made of until the turn of the event loop ends.
    await new Promise((resolve) => void setImmediate(resolve));
    collectGarbage();

    // The last one may still be held by whoever asked for it.
    expect(made.slice(0, -1).filter((event) => event.deref() !== undefined)).toEqual([]);
    await events.return();
  });
});
