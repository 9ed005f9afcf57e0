import { AppliedCalls } from './applied-calls';

/** Longer than any test: nothing here waits for it. */
const LONG_MS = 60_000;

const answer = (dispatchId: string, attempt = '1.1') => ({ dispatchId, attempt });

describe('answers whose response is stored', () => {
  it('are told to all who wait for them', async () => {
    const applied = new AppliedCalls();
    const asked = ['d-1', 'd-1', 'd-2'].map((id) => applied.within(answer(id), LONG_MS));

    applied.tell([answer('d-1'), answer('d-2')]);

    expect(await Promise.all(asked)).toEqual([true, true, true]);
  });

  it('are remembered for who asks later, once', async () => {
    const applied = new AppliedCalls();
    applied.tell([answer('d-1')]);

    const asked = [await applied.within(answer('d-1'), LONG_MS), await applied.within(answer('d-1'), 1)];

    expect(asked).toEqual([true, false]);
  });

  it('row 10: are of one attempt: what another gave was not applied', async () => {
    const applied = new AppliedCalls();
    const waiting = applied.within(answer('d-1', '1.3'), 1);
    applied.tell([answer('d-1', '1.1')]);

    const asked = [await waiting, await applied.within(answer('d-1', '1.2'), 1)];

    expect(asked).toEqual([false, false]);
  });

  it('are not known when another process stored them, nor where their unit names none', async () => {
    const applied = new AppliedCalls();
    applied.tell(undefined);

    expect(await applied.within(answer('d-1'), 1)).toBe(false);
  });
});
