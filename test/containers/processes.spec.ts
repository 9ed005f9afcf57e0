import { connect } from '@nats-io/transport-node';
import { inboxPrefixOf, workerGrant } from '@skein/contracts';
import { textOf } from '../support/client';
import { checkInvariants } from '../chaos/support/invariants';
import { row } from '../chaos/support/row';
import {
  aSessionId,
  effectsOf,
  ordinalsOf,
  sameForm,
  say,
  untilEffect,
  untilOwned,
  withoutFault,
} from '../chaos/support/scenes';
import { concreteSubjects, isWithin, wideSubjects } from '../security/support/nats-subjects';
import { refusedOf } from '../security/support/refused-of';
import { waitUntil } from '../support/wait-until';
import { ContainerFleet } from './support/container-fleet';
import { docker } from './support/docker';

// Scaled down from 15 s, 2 s and 30 s: they are the time until somebody notices a death.
const SCALED = { LEASE_MS: '3000', SWEEP_MS: '300', ACK_WAIT_MS: '3000' };
const A_MINUTE_AND_A_HALF = 90_000;

describe('containers of runners and workers are killed, frozen and robbed', () => {
  let fleet: ContainerFleet;

  beforeAll(async () => {
    fleet = await ContainerFleet.start({ env: SCALED });
  }, 240_000);
  afterEach(() => fleet?.heal(), 120_000);
  afterAll(() => fleet?.stop(), 120_000);

  row(
    'row 6: kill -9 of a runner while a tool runs',
    async () => {
      const expected = await withoutFault(fleet, 'wait 1500');
      const sessionId = aSessionId('row6');

      const turn = say(fleet, sessionId, 'wait 1500');
      await untilEffect(fleet, sessionId, 'begin');
      await (await untilOwned(fleet, sessionId)).kill();
      await turn;

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin', 'end']);
      expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1]);
      await checkInvariants(fleet);
    },
    A_MINUTE_AND_A_HALF,
  );

  row(
    'row 9: kill -9 of a worker in the middle of a call: it runs again under the same key, and is applied once',
    async () => {
      const expected = await withoutFault(fleet, 'wait 1500');
      const sessionId = aSessionId('row9');

      const turn = say(fleet, sessionId, 'wait 1500');
      const { host } = await untilEffect(fleet, sessionId, 'begin');
      await fleet.one(host).kill();
      await turn;

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      const effects = effectsOf(fleet, sessionId);
      expect(effects.map(({ phase }) => phase)).toEqual(['begin', 'begin', 'end']);
      expect(new Set(effects.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      await checkInvariants(fleet);
    },
    A_MINUTE_AND_A_HALF,
  );

  row(
    'row 9: kill -9 of a worker in the middle of a call that may happen once: its outcome is unknown',
    async () => {
      const sessionId = aSessionId('row9');

      const turn = say(fleet, sessionId, 'pay 1500');
      const { host } = await untilEffect(fleet, sessionId, 'begin');
      await fleet.one(host).kill();
      const { events } = await turn;

      expect(textOf(events.at(-1))).toContain('whether it took effect is not known');
      expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin']);
      await checkInvariants(fleet);
    },
    A_MINUTE_AND_A_HALF,
  );

  row(
    'row 31: a worker is frozen in the middle of a call: another gives the result, and its own is dropped',
    async () => {
      const expected = await withoutFault(fleet, 'wait 1500');
      const sessionId = aSessionId('row31');

      const turn = say(fleet, sessionId, 'wait 1500');
      const { host } = await untilEffect(fleet, sessionId, 'begin');
      const { container } = fleet.one(host);
      await container.pause();
      await turn;
      await container.unpause();
      // The call's message is acknowledged by both before the queue is empty.
      await checkInvariants(fleet);

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      const begun = effectsOf(fleet, sessionId).filter(({ phase }) => phase === 'begin');
      expect(new Set(begun.map((effect) => effect.host)).size).toBe(2);
    },
    A_MINUTE_AND_A_HALF,
  );

  it(
    'row 16: a worker takes its pool’s calls and gives results, and may do nothing else, whoever has its credentials',
    async () => {
      await say(fleet, aSessionId('row16'), 'wait 10');
      // All that was asked of this fleet so far was permitted.
      expect(fleet.logOf('nats')).not.toContain('Violation');
      const { id } = fleet.one('tool-worker-1').container;
      const stolen = new URL(await docker(['exec', id, 'printenv', 'NATS_URL']));
      const { username: user, password: pass } = stolen;
      const servers = new URL(fleet.natsUrl).host;
      const grant = workerGrant({ user, pools: ['default'] });

      for (const operation of ['publish', 'subscribe'] as const) {
        const known = operation === 'publish' ? concreteSubjects : [...concreteSubjects, ...wideSubjects];
        const tried = known.filter(
          (subject) =>
            !(operation === 'publish' && subject.includes('>')) &&
            !grant[operation].some((granted) => isWithin(granted, subject)),
        );
        const thief = await connect({
          ...{ servers, user, pass, reconnect: false, inboxPrefix: inboxPrefixOf(user) },
        });

        expect(new Set(await refusedOf(thief, operation, tried))).toEqual(new Set(tried));
      }
      await waitUntil('it to be told of', () => fleet.logOf('nats').includes('Violation') || undefined);
    },
    A_MINUTE_AND_A_HALF,
  );
});
