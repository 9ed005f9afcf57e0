import { setImmediate as nextTurn } from 'node:timers/promises';
import { StepsUnderWay } from './steps-under-way';

/** Whether it was reached yet. */
function watch(promise: Promise<unknown>): { isReached: boolean } {
  const watched = { isReached: false };
  void promise.then(() => (watched.isReached = true));
  return watched;
}

async function someTurns(): Promise<void> {
  for (let n = 0; n < 6; n++) await nextTurn();
}

describe('StepsUnderWay', () => {
  it('is at rest at once when nothing is under way', async () => {
    await new StepsUnderWay().atRest(() => Promise.resolve());
  });

  it('waits for every step, and for what they led to to be stored', async () => {
    const steps = new StepsUnderWay();
    const [first, second] = [steps.begin(), steps.begin()];
    let store: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => (store = resolve));
    const rest = watch(steps.atRest(() => stored));

    first();
    first();
    await someTurns();
    expect(rest.isReached).toBe(false);
    second();
    await someTurns();
    expect(rest.isReached).toBe(false);
    store();
    await someTurns();

    expect(rest.isReached).toBe(true);
  });

  it('waits for a step that the one before it led to', async () => {
    const steps = new StepsUnderWay();
    const model = steps.begin();
    const rest = watch(steps.atRest(() => Promise.resolve()));

    model();
    const publish = steps.begin();
    await someTurns();
    expect(rest.isReached).toBe(false);
    publish();
    await someTurns();

    expect(rest.isReached).toBe(true);
  });

  it.each([
    ['while what was before it was being stored', { isEarly: false }],
    ['in the turn before that was waited for', { isEarly: true }],
  ])('waits for what a step led to that began %s, however soon it ended', async (_when, { isEarly }) => {
    const steps = new StepsUnderWay();
    const units: (() => void)[] = [];
    const rest = watch(steps.atRest(() => new Promise<void>((resolve) => units.push(resolve))));
    const early = isEarly ? steps.begin() : undefined;
    await someTurns();

    const end = early ?? steps.begin();
    end();
    units[0]?.();
    await someTurns();
    expect(rest.isReached).toBe(false);
    units[1]?.();
    await someTurns();

    expect(rest.isReached).toBe(true);
  });
});
