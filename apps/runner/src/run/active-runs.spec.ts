import { aHandover, gate } from '../../test/builders';
import { ActiveRun } from './active-run';
import { ActiveRuns } from './active-runs';

const never = new AbortController().signal;

function aRun(invocationId = 'e-1', epoch = 1): ActiveRun {
  return new ActiveRun(aHandover({ invocationId, epoch }));
}

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Work that ends when its gate opens, and notes what it was begun for. */
function someWork() {
  const end = gate();
  const begun: ActiveRun[] = [];
  const work = async (run: ActiveRun): Promise<void> => {
    begun.push(run);
    await end.opened;
  };
  return { begun, work, end: end.open };
}

async function allEnded(runs: ActiveRuns): Promise<void> {
  await Promise.all(runs.list().map((run) => runs.ended(run)));
}

describe('ActiveRuns', () => {
  it('begins runs while it has credit, and tells when the credit is gone and when it is back', async () => {
    const runs = new ActiveRuns(2);
    const credits: number[] = [];
    runs.onChange(() => credits.push(runs.credit));
    const { work, end } = someWork();

    const begun = ['e-1', 'e-2', 'e-3'].map((id) => runs.begin(aRun(id), work));
    expect(begun).toEqual([true, true, false]);
    end();
    await allEnded(runs);

    expect(runs.credit).toBe(2);
    // Told at 0 and at the first that came back: what is told every second needs no more.
    expect(credits).toEqual([0, 1]);
  });

  it('works after it has answered, because an agent may keep the event loop busy', async () => {
    const runs = new ActiveRuns(1);
    const { begun, work, end } = someWork();

    runs.begin(aRun(), work);
    await Promise.resolve();
    expect(begun).toEqual([]);
    end();
    await allEnded(runs);

    expect(begun).toHaveLength(1);
  });

  it('works once its answer has left, which is written at the end of the turn of the event loop that made it', async () => {
    const runs = new ActiveRuns(1);
    const order: string[] = [];

    runs.begin(aRun(), async () => void order.push('run'));
    await Promise.resolve();
    // As a connection to NATS does with what is published (ADR 17).
    setImmediate(() => order.push('answer'));
    await allEnded(runs);

    expect(order).toEqual(['answer', 'run']);
  });

  it('accepts a claim that comes again after its run is over, and does not begin it again', async () => {
    const runs = new ActiveRuns(1);
    const { begun, work, end } = someWork();
    end();
    runs.begin(aRun('e-1', 2), work);
    await allEnded(runs);

    expect([1, 2, 3].map((epoch) => runs.begin(aRun('e-1', epoch), work))).toEqual([false, true, true]);
    await allEnded(runs);

    expect(begun.map(({ handover }) => handover.epoch)).toEqual([2, 3]);
  });

  it('tells those who wait for a place at once that there is none when it closes', async () => {
    const runs = new ActiveRuns(1);
    const { work, end } = someWork();
    runs.begin(aRun(), work);
    const waiting = runs.keepPlace(60_000, never);

    runs.close();

    expect(await waiting).toBeUndefined();
    expect(await runs.keepPlace(60_000, never)).toBeUndefined();
    end();
    await allEnded(runs);
  });

  it('accepts the same claim handed over twice, and runs it once', async () => {
    const runs = new ActiveRuns(1);
    const { begun, work, end } = someWork();
    const first = aRun('e-1', 2);

    expect([runs.begin(first, work), runs.begin(aRun('e-1', 2), work)]).toEqual([true, true]);
    end();
    await allEnded(runs);

    expect(begun).toEqual([first]);
  });

  it('refuses the same claim once its run was stopped: nobody would go on with it here', () => {
    const runs = new ActiveRuns(2);
    const { work } = someWork();
    const first = aRun('e-1', 2);
    runs.begin(first, work);

    first.stop('its lease is lost');

    expect(runs.begin(aRun('e-1', 2), work)).toBe(false);
  });

  it('refuses an older claim that comes late, and leaves the newer alone', () => {
    const runs = new ActiveRuns(2);
    const { work } = someWork();
    const newer = aRun('e-1', 3);
    runs.begin(newer, work);

    expect(runs.begin(aRun('e-1', 2), work)).toBe(false);

    expect(newer.signal.aborted).toBe(false);
    expect(runs.get('e-1')).toBe(newer);
  });

  it('lets a newer claim of the same invocation take the place of the older, which is stopped', async () => {
    const runs = new ActiveRuns(2);
    const [olderWork, newerWork] = [someWork(), someWork()];
    const [older, newer] = [aRun('e-1', 2), aRun('e-1', 3)];
    runs.begin(older, olderWork.work);

    expect(runs.begin(newer, newerWork.work)).toBe(true);
    expect(older.signal.aborted).toBe(true);
    expect(runs.credit).toBe(1);
    olderWork.end();
    await nextTurn();
    await nextTurn();

    // The older's end is not that of the newer.
    expect(runs.get('e-1')).toBe(newer);
    newerWork.end();
    await allEnded(runs);
    expect(runs.list()).toEqual([]);
  });

  it('takes nothing more once closed', () => {
    const runs = new ActiveRuns(2);
    const credits: number[] = [];
    runs.onChange(() => credits.push(runs.credit));

    runs.close();

    expect(runs.begin(aRun(), someWork().work)).toBe(false);
    expect(credits).toEqual([0]);
  });

  it('row 41: begins no newer claim of a run it has once closed: nobody would give that back', () => {
    const runs = new ActiveRuns(2);
    const older = aRun('e-1', 2);
    runs.begin(older, someWork().work);

    runs.close();

    expect(runs.begin(aRun('e-1', 3), someWork().work)).toBe(false);
    expect(runs.list()).toEqual([older]);
    expect(older.stopSignal.aborted).toBe(true);
  });

  describe('keepPlace', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
    afterEach(() => jest.useRealTimers());

    it('keeps a place from everybody else until its run begins', async () => {
      const runs = new ActiveRuns(1);
      const { begun, work, end } = someWork();

      const place = await runs.keepPlace(1_000, never);

      expect(runs.credit).toBe(0);
      expect(runs.begin(aRun('e-other'), work)).toBe(false);
      expect(runs.begin(aRun(), work, place)).toBe(true);
      end();
      await allEnded(runs);
      expect(begun.map(({ invocationId }) => invocationId)).toEqual(['e-1']);
    });

    it('gives the place of a run that ends to who has waited longest, and to nobody beside', async () => {
      const runs = new ActiveRuns(1);
      const { work, end } = someWork();
      runs.begin(aRun(), work);

      const first = runs.keepPlace(1_000, never);
      const second = runs.keepPlace(1_000, never);
      end();

      const place = await first;
      expect(place).toBeDefined();
      expect(runs.credit).toBe(0);
      runs.giveUp(place ?? {});
      expect(await second).toBeDefined();
      expect(jest.getTimerCount()).toBe(0);
    });

    it('gives a place on that a run did not need, which was there already', async () => {
      const runs = new ActiveRuns(2);
      const { work } = someWork();
      runs.begin(aRun(), work);
      const place = await runs.keepPlace(1_000, never);
      const waiting = runs.keepPlace(1_000, never);

      expect(runs.begin(aRun(), work, place)).toBe(true);

      expect(await waiting).toBeDefined();
    });

    it('tells that places are waited for, and that they are not any more', async () => {
      const runs = new ActiveRuns(1);
      const { work, end } = someWork();
      const told: [number, boolean][] = [];
      runs.onChange(() => told.push([runs.credit, runs.isAwaited]));
      runs.begin(aRun(), work);

      const waiting = runs.keepPlace(1_000, never);
      end();
      runs.giveUp((await waiting) ?? {});

      expect(told).toEqual([
        [0, false],
        [0, true],
        [0, false],
        [1, false],
      ]);
    });

    it('answers after its time that there is none', async () => {
      const runs = new ActiveRuns(1);
      runs.begin(aRun(), someWork().work);

      const asked = runs.keepPlace(1_000, never);
      await jest.advanceTimersByTimeAsync(1_000);

      expect(await asked).toBeUndefined();
      expect(runs.isAwaited).toBe(false);
    });

    it('answers when nobody waits any more', async () => {
      const runs = new ActiveRuns(1);
      runs.begin(aRun(), someWork().work);
      const gone = new AbortController();

      const asked = runs.keepPlace(1_000, gone.signal);
      gone.abort();

      expect(await asked).toBeUndefined();
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
