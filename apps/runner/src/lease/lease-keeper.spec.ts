import { type Release, type Renew, type Renewed } from '@skein/contracts';
import { silentLogger } from '@skein/platform';
import { aHandover } from '../../test/builders';
import { ActiveRun } from '../run/active-run';
import { ActiveRuns } from '../run/active-runs';
import { LeaseKeeper } from './lease-keeper';

const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const FENCE_MS = 10_000;

/** A keeper of two runs; `renew` is what session-svc does with a request. */
function aKeeper(renew: (renewal: Renew) => Promise<Renewed>) {
  const runs = new ActiveRuns(8);
  const [one, two] = ['e-1', 'e-2'].map(
    (invocationId) => new ActiveRun(aHandover({ invocationId, epoch: 3 })),
  );
  if (!one || !two) throw new Error('two runs were made');
  for (const run of [one, two]) runs.begin(run, () => new Promise(() => undefined));
  const sent: Renew[] = [];
  const released: Release[] = [];
  const rpc = {
    renew: (renewal: Renew) => {
      sent.push(renewal);
      return renew(renewal);
    },
    release: async (given: Release) => void released.push(given),
  };
  const keeper = new LeaseKeeper({
    runnerId: 'runner-1',
    leaseMs: LEASE_MS,
    runs,
    rpc,
    logger: silentLogger,
  });
  return { keeper, runs, one, two, sent, released };
}

const holdAll = async ({ leases }: Renew): Promise<Renewed> => ({
  held: leases.map(({ invocationId }) => invocationId),
  cancelRequested: [],
});
const inVain = (): Promise<Renewed> => Promise.reject(new Error('nobody answers'));
const unanswered = (): Promise<Renewed> => new Promise(() => undefined);

describe('LeaseKeeper', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('renews every lease in one request, three times a lease, and stops nothing that is held', async () => {
    const { keeper, one, two, sent } = aKeeper(holdAll);

    keeper.start();
    await jest.advanceTimersByTimeAsync(4 * LEASE_MS);
    keeper.stop();

    expect(sent).toHaveLength(12);
    expect(sent[0]).toEqual({
      runnerId: 'runner-1',
      leases: [
        { invocationId: 'e-1', epoch: 3 },
        { invocationId: 'e-2', epoch: 3 },
      ],
    });
    expect([one.signal.aborted, two.signal.aborted]).toEqual([false, false]);
  });

  it('leaves a run alone that has just begun: its claim may be on its way to the disk', async () => {
    const { keeper, runs, one, two, sent } = aKeeper(async () => ({ held: [], cancelRequested: [] }));
    const earlier = new ActiveRun(aHandover({ invocationId: 'e-3', epoch: 1 }));

    keeper.start();
    await jest.advanceTimersByTimeAsync(RENEW_MS - 1);
    const begun = new ActiveRun(aHandover({ invocationId: 'e-4', epoch: 1 }));
    for (const run of [earlier, begun]) runs.begin(run, () => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(1);

    expect(sent[0]?.leases.map(({ invocationId }) => invocationId)).toEqual(['e-1', 'e-2', 'e-3']);
    expect([one, two, earlier, begun].map(({ signal }) => signal.aborted)).toEqual([true, true, true, false]);

    await jest.advanceTimersByTimeAsync(RENEW_MS);
    keeper.stop();
    expect(sent[1]?.leases.map(({ invocationId }) => invocationId)).toContain('e-4');
    expect(begun.signal.aborted).toBe(true);
  });

  it('leaves the run of a guess alone for longer: its claim may not even be asked for yet', async () => {
    const { keeper, runs, sent } = aKeeper(holdAll);

    keeper.start();
    await jest.advanceTimersByTimeAsync(RENEW_MS / 2);
    const guessed = new ActiveRun(aHandover({ invocationId: 'e-3', epoch: 1 }), true);
    runs.begin(guessed, () => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(1.5 * RENEW_MS);
    keeper.stop();

    const renewed = sent.map(({ leases }) => leases.some(({ invocationId }) => invocationId === 'e-3'));
    expect(renewed).toEqual([false, true]);
  });

  it('stops a run whose lease is not held any more, and no other', async () => {
    const { keeper, one, two } = aKeeper(async () => ({ held: ['e-2'], cancelRequested: [] }));

    keeper.start();
    await jest.advanceTimersByTimeAsync(RENEW_MS);
    keeper.stop();

    expect([one.signal.aborted, two.signal.aborted]).toEqual([true, false]);
  });

  it.each([
    ['fails', inVain],
    ['is not answered', unanswered],
  ])('stops every run two thirds of a lease after its start when renewing %s', async (_how, renew) => {
    const { keeper, one, two } = aKeeper(renew);

    keeper.start();
    await jest.advanceTimersByTimeAsync(FENCE_MS - 1);
    expect([one.signal.aborted, two.signal.aborted]).toEqual([false, false]);
    await jest.advanceTimersByTimeAsync(1);
    keeper.stop();

    expect([one.signal.aborted, two.signal.aborted]).toEqual([true, true]);
  });

  it('row 8: stops every run as soon as it is asked to, where the process was stopped and its timers are late', () => {
    const { keeper, one, two } = aKeeper(inVain);
    const isStopped = () => [one.stopSignal.aborted, two.stopSignal.aborted];
    keeper.start();
    const startedAtMs = performance.now();
    const clock = jest.spyOn(performance, 'now');

    clock.mockReturnValue(startedAtMs + FENCE_MS - 1);
    keeper.enforce();
    expect(isStopped()).toEqual([false, false]);
    clock.mockReturnValue(startedAtMs + FENCE_MS);
    keeper.enforce();
    clock.mockRestore();
    keeper.stop();

    expect(isStopped()).toEqual([true, true]);
  });

  it('row 17: gives back what it stopped, once, so that an outage costs no attempt', async () => {
    const { keeper, released } = aKeeper(inVain);

    keeper.start();
    await jest.advanceTimersByTimeAsync(FENCE_MS - 1);
    expect(released).toEqual([]);
    await jest.advanceTimersByTimeAsync(2 * FENCE_MS);
    keeper.stop();

    expect(released).toEqual([
      { runnerId: 'runner-1', invocationId: 'e-1', epoch: 3 },
      { runnerId: 'runner-1', invocationId: 'e-2', epoch: 3 },
    ]);
  });

  it('row 17: stops and gives back also a run that is only being cancelled: it would go on sending', async () => {
    const { keeper, one, released } = aKeeper(inVain);
    one.cancel();

    keeper.start();
    await jest.advanceTimersByTimeAsync(FENCE_MS);
    keeper.stop();

    expect(one.stopSignal.aborted).toBe(true);
    expect(released.map(({ invocationId }) => invocationId)).toEqual(['e-1', 'e-2']);
  });

  it('counts the two thirds from the sending of the last renewal that succeeded, not from its answer', async () => {
    let renewals = 0;
    const { keeper, one } = aKeeper(async (renewal) => {
      renewals += 1;
      if (renewals > 1) return inVain();
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      return holdAll(renewal);
    });

    keeper.start();
    // Sent at 5 s, answered at 9 s: good until 15 s.
    await jest.advanceTimersByTimeAsync(RENEW_MS + FENCE_MS - 1);
    expect(one.signal.aborted).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    keeper.stop();

    expect(one.signal.aborted).toBe(true);
  });

  it('does not let an answer that comes after the fence revive a stopped run', async () => {
    const { keeper, one } = aKeeper(async (renewal) => {
      await new Promise((resolve) => setTimeout(resolve, FENCE_MS));
      return holdAll(renewal);
    });

    keeper.start();
    await jest.advanceTimersByTimeAsync(2 * LEASE_MS);
    keeper.stop();

    expect(one.signal.aborted).toBe(true);
  });

  it('sends one renewal at a time', async () => {
    const { keeper, sent } = aKeeper(unanswered);

    keeper.start();
    await jest.advanceTimersByTimeAsync(LEASE_MS);
    keeper.stop();

    expect(sent).toHaveLength(1);
  });

  it('cancels a run the answer says is not wanted any more', async () => {
    const { keeper, one, two } = aKeeper(async () => ({ held: ['e-1', 'e-2'], cancelRequested: ['e-2'] }));

    keeper.start();
    await jest.advanceTimersByTimeAsync(LEASE_MS / 3);
    keeper.stop();

    expect([one.isCancelled, two.isCancelled]).toEqual([false, true]);
  });

  it('asks nobody while there is no run, and fences none that began meanwhile', async () => {
    const runs = new ActiveRuns(8);
    const sent: Renew[] = [];
    const rpc = {
      renew: (renewal: Renew) => {
        sent.push(renewal);
        return holdAll(renewal);
      },
      release: () => Promise.reject(new Error('nothing was stopped')),
    };
    const keeper = new LeaseKeeper({ runnerId: 'r', leaseMs: LEASE_MS, runs, rpc, logger: silentLogger });

    keeper.start();
    await jest.advanceTimersByTimeAsync(2 * LEASE_MS - 1);
    expect(sent).toEqual([]);
    const late = new ActiveRun(aHandover());
    runs.begin(late, () => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(FENCE_MS);
    keeper.stop();

    expect(late.signal.aborted).toBe(false);
    // The first renewal after its begin came too early for it.
    expect(sent).toHaveLength(1);
  });

  it('leaves nothing running once stopped', () => {
    const { keeper } = aKeeper(holdAll);

    keeper.start();
    keeper.stop();

    // The two runs wait for their setImmediate; no timer of the keeper is left.
    expect(jest.getTimerCount()).toBe(2);
  });
});
