import { waitUntil } from '../support/wait-until';
import { clockEnvironment, setClock } from './support/clock';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { Proxies } from './support/proxies';
import { row } from './support/row';
import {
  askedOf,
  aSessionId,
  effectsOf,
  epochsOf,
  ordinalsOf,
  sameForm,
  say,
  untilAsked,
  untilEffect,
  untilOwned,
  untilWhole,
  withoutFault,
} from './support/scenes';

// Scaled down from 15 s, 2 s and 30 s. Without lanes: what is cut, copied and waited for here is what NATS carries.
const SCALED = { LEASE_MS: '2400', SWEEP_MS: '300', ACK_WAIT_MS: '2000', LANES: 'false' };
const HOUR_MS = 3_600_000;

describe('a network, a process or a clock stands still', () => {
  const runners = ['runner-1', 'runner-2'];
  const workers = ['tool-worker-1', 'tool-worker-2'];
  const services = ['session-svc-1', 'session-svc-2'];
  const proxies = new Proxies([...runners, ...workers, ...services]);
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start({
      ...proxies.options(() => clockEnvironment()),
      env: SCALED,
      sessionServices: 2,
    });
  }, 120_000);

  afterEach(async () => {
    proxies.heal();
    for (const one of fleet?.processes ?? []) if (one.isRunning) setClock(one, 0);
    if (fleet) await untilWhole(fleet);
  });

  afterAll(async () => {
    await fleet?.stop();
    await proxies.close();
  }, 60_000);

  /** What one process has logged since a moment. */
  function logOf(name: string, since: number): string {
    return fleet
      .log()
      .slice(since)
      .split('\n')
      .filter((line) => line.startsWith(`${name} |`))
      .join('\n');
  }

  row('row 8: a runner is stopped until another has taken over, and then goes on', async () => {
    const expected = await withoutFault(fleet, 'count 2');
    const sessionId = aSessionId('row8');
    const since = fleet.log().length;
    const turn = say(fleet, sessionId, 'talk 10 80');
    await untilAsked(fleet, sessionId, 0);
    const zombie = await untilOwned(fleet, sessionId);

    zombie.signal('SIGSTOP');
    await turn;
    const before = await sameForm(fleet, sessionId);
    zombie.signal('SIGCONT');
    await waitUntil(
      'the zombie to stop itself',
      () => /lease|fenced|stale/.test(logOf(zombie.name, since)) || undefined,
    );
    await say(fleet, sessionId, 'count 2');

    expect(askedOf(fleet, sessionId).filter(({ ordinal }) => ordinal === 0)).toHaveLength(2);
    expect((await sameForm(fleet, sessionId)).events).toHaveLength(
      before.events.length + expected.events.length,
    );
    await checkInvariants(fleet);
  });

  describe.each([
    ['a runner', runners],
    ['a worker', workers],
    ['session-svc', services],
  ])('of %s', (_who, names) => {
    row('row 28: the clock is an hour ahead, an hour behind, and jumps meanwhile', async () => {
      const expected = await withoutFault(fleet, 'both 60');
      const since = fleet.log().length;
      const set = (offsetMs: number): void => names.forEach((name) => setClock(fleet.one(name), offsetMs));
      const sessions: string[] = [];
      for (const offsetMs of [HOUR_MS, -HOUR_MS]) {
        set(offsetMs);
        const sessionId = aSessionId('row28');
        const turn = say(fleet, sessionId, 'both 60');
        await untilEffect(fleet, sessionId, 'begin');
        set(-offsetMs);
        await turn;
        sessions.push(sessionId);
      }

      for (const sessionId of sessions) {
        expect(await sameForm(fleet, sessionId)).toEqual(expected);
        expect(await epochsOf(fleet, sessionId)).toBe(1);
      }
      expect(fleet.log().slice(since)).not.toMatch(/lease expired|lease is another|could not be renewed/);
    });
  });

  row(
    'row 29: nobody reaches Postgres: the runner stops itself before its lease is over; another goes on',
    async () => {
      const sessionId = aSessionId('row29');
      const expected = await withoutFault(fleet, 'wait 900');
      const since = fleet.log().length;
      const turn = say(fleet, sessionId, 'wait 900');
      await untilEffect(fleet, sessionId, 'begin');
      const owner = await untilOwned(fleet, sessionId);

      for (const name of services) proxies.postgres(name).hold();
      const heldMs = performance.now();
      await waitUntil(
        'the runner to stop itself',
        () => logOf(owner.name, since).includes('could not be renewed') || undefined,
      );
      const fencedMs = performance.now() - heldMs;
      const asked = askedOf(fleet, sessionId).length;
      await waitUntil(
        'the lease to be over',
        () => performance.now() - heldMs > Number(SCALED.LEASE_MS) || undefined,
      );

      expect(askedOf(fleet, sessionId)).toHaveLength(asked);
      proxies.heal();
      await turn;
      expect(fencedMs).toBeLessThan(Number(SCALED.LEASE_MS));
      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1]);
      expect(effectsOf(fleet, sessionId).filter(({ phase }) => phase === 'begin')).toHaveLength(1);
      await checkInvariants(fleet);
    },
  );

  row(
    'row 30: a runner does not reach NATS: another takes its run over, and it stores nothing more',
    async () => {
      const sessionId = aSessionId('row30');
      const expected = await withoutFault(fleet, 'wait 400');
      const turn = say(fleet, sessionId, 'wait 400');
      await untilEffect(fleet, sessionId, 'begin');
      const owner = await untilOwned(fleet, sessionId);

      proxies.nats(owner.name).hold();
      await turn;
      proxies.heal();
      // It hears of everything it missed: its next turn is the proof that it harms nothing.
      await say(fleet, aSessionId('row30'), 'count');

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1]);
      expect(await epochsOf(fleet, sessionId)).toBeGreaterThan(1);
      await checkInvariants(fleet);
    },
  );

  row(
    'row 31: a worker loses NATS in the middle of a call: its result is sent when NATS is back',
    async () => {
      const sessionId = aSessionId('row31');
      const expected = await withoutFault(fleet, 'wait 400');
      const turn = say(fleet, sessionId, 'wait 400');
      const { pid } = await untilEffect(fleet, sessionId, 'begin');
      const worker = fleet.byOwner(pid);

      proxies.nats(worker.name).refuse();
      await untilEffect(fleet, sessionId, 'end');
      proxies.heal();
      await turn;

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin', 'end']);
      await checkInvariants(fleet);
    },
  );

  row('row 31: a result that comes after another worker gave one is dropped', async () => {
    const sessionId = aSessionId('row31');
    const expected = await withoutFault(fleet, 'wait 400');
    const turn = say(fleet, sessionId, 'wait 400');
    const { pid } = await untilEffect(fleet, sessionId, 'begin');

    proxies.nats(fleet.byOwner(pid).name).hold();
    await turn;
    proxies.heal();
    await checkInvariants(fleet);

    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    expect(effectsOf(fleet, sessionId).filter(({ phase }) => phase === 'begin')).toHaveLength(2);
  });

  row(
    'row 32: connections to NATS and Postgres die without a word: it is noticed, and runs go on over new ones',
    async () => {
      const expected = await withoutFault(fleet, 'count 2');
      const since = fleet.log().length;
      // Not scaled: two pings of the NATS client, ten seconds apart, and the timeouts of the pool.
      for (const name of runners) proxies.nats(name).hold('existing');
      for (const name of services) proxies.postgres(name).hold('existing');
      const heldMs = performance.now();
      const sessionId = aSessionId('row32');

      const turn = say(fleet, sessionId, 'count 2');
      for (const name of runners) {
        await waitUntil(
          `${name} to notice`,
          () => logOf(name, since).includes('NATS connection lost') || undefined,
          45_000,
        );
      }
      await turn;

      expect(performance.now() - heldMs).toBeLessThan(60_000);
      await fleet.untilReady();
      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      await checkInvariants(fleet);
    },
    120_000,
  );
});
