import { checkInvariants } from '../chaos/support/invariants';
import { row } from '../chaos/support/row';
import {
  askedOf,
  aSessionId,
  effectsOf,
  epochsOf,
  ordinalsOf,
  sameForm,
  say,
  untilEffect,
  untilOwned,
  withoutFault,
} from '../chaos/support/scenes';
import { waitUntil } from '../support/wait-until';
import { ContainerFleet } from './support/container-fleet';

// Scaled down from 15 s, 2 s and 30 s.
const LEASE_MS = 6_000;
const SCALED = { LEASE_MS: String(LEASE_MS), SWEEP_MS: '300', ACK_WAIT_MS: '4000' };
/** Not scaled: a connection that died without a word is noticed by two pings of the NATS client, ten seconds apart. */
const THREE_MINUTES = 180_000;

describe('containers are taken out of their networks', () => {
  let fleet: ContainerFleet;

  beforeAll(async () => {
    fleet = await ContainerFleet.start({ env: SCALED, sessionServices: 2 });
  }, 240_000);
  afterEach(() => fleet?.heal(), 120_000);
  afterAll(() => fleet?.stop(), 120_000);

  row(
    'row 29: nobody reaches Postgres: the runner stops itself before its lease is over; another goes on',
    async () => {
      const { networks, postgres } = fleet;
      const sessionId = aSessionId('row29');
      const expected = await withoutFault(fleet, 'wait 1500');
      const since = fleet.log().length;
      const turn = say(fleet, sessionId, 'wait 1500');
      await untilEffect(fleet, sessionId, 'begin');
      const owner = await untilOwned(fleet, sessionId);

      await postgres.container.disconnect(networks.idOf('data'));
      const cutMs = performance.now();
      await waitUntil(
        'the runner to stop itself',
        () => fleet.logOf(owner.name, since).includes('its lease could not be renewed') || undefined,
      );
      const fencedMs = performance.now() - cutMs;
      const asked = askedOf(fleet, sessionId).length;
      await waitUntil('the lease to be over', () => performance.now() - cutMs > LEASE_MS || undefined);

      expect(fencedMs).toBeLessThan(LEASE_MS);
      expect(askedOf(fleet, sessionId)).toHaveLength(asked);
      await fleet.heal();
      await turn;
      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1]);
      expect(effectsOf(fleet, sessionId).filter(({ phase }) => phase === 'begin')).toHaveLength(1);
      await checkInvariants(fleet);
    },
    THREE_MINUTES,
  );

  row(
    'row 30: a runner does not reach NATS: another takes its run over, and it stores nothing more',
    async () => {
      const sessionId = aSessionId('row30');
      const expected = await withoutFault(fleet, 'wait 1500');
      const turn = say(fleet, sessionId, 'wait 1500');
      await untilEffect(fleet, sessionId, 'begin');
      const owner = await untilOwned(fleet, sessionId);

      await fleet.cutOffFromNats(owner);
      await turn;
      await fleet.heal();
      // It hears of everything it missed: its next turn is the proof that it harms nothing.
      await say(fleet, aSessionId('row30'), 'count');

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1]);
      expect(await epochsOf(fleet, sessionId)).toBeGreaterThan(1);
      await checkInvariants(fleet, { deadlineMs: 60_000 });
    },
    THREE_MINUTES,
  );

  row(
    'row 31: a worker loses NATS in the middle of a call: whoever gives the result first, it is applied once',
    async () => {
      const sessionId = aSessionId('row31');
      const expected = await withoutFault(fleet, 'wait 1500');
      const turn = say(fleet, sessionId, 'wait 1500');
      const { host } = await untilEffect(fleet, sessionId, 'begin');

      await fleet.cutOffFromNats(fleet.one(host));
      await untilEffect(fleet, sessionId, 'end');
      await fleet.heal();
      await turn;

      await checkInvariants(fleet, { deadlineMs: 60_000 });
      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      const keys = effectsOf(fleet, sessionId).map(({ idempotencyKey }) => idempotencyKey);
      expect(new Set(keys).size).toBe(1);
    },
    THREE_MINUTES,
  );
});
