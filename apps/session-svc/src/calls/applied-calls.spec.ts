import { AppliedCalls } from './applied-calls';

/** Longer than any test: nothing here waits for it. */
const LONG_MS = 60_000;

describe('calls whose response is stored', () => {
  it('are told to who waits for them', async () => {
    const applied = new AppliedCalls();
    const first = applied.within('d-1', LONG_MS);
    const second = applied.within('d-2', LONG_MS);

    applied.tell(['d-1', 'd-2']);

    expect(await Promise.all([first, second])).toEqual([true, true]);
  });

  it('are remembered for who asks later, once', async () => {
    const applied = new AppliedCalls();
    applied.tell(['d-1']);

    const asked = [await applied.within('d-1', LONG_MS), await applied.within('d-1', 1)];

    expect(asked).toEqual([true, false]);
  });

  it('are not known when another process stored them', async () => {
    expect(await new AppliedCalls().within('d-1', 1)).toBe(false);
  });
});
