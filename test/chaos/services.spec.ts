import { waitUntil } from '../support/wait-until';
import { publishedSeqs, upTo } from './support/event-stream';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { Load } from './support/load';
import { Proxies } from './support/proxies';
import { row } from './support/row';
import {
  aSessionId,
  type IsMoment,
  killFirst,
  ordinalsOf,
  sameForm,
  say,
  untilWhole,
  withoutFault,
} from './support/scenes';

// Scaled down from 15 s, 2 s and 30 s: they are the time until somebody notices a death.
const SCALED = { LEASE_MS: '1500', SWEEP_MS: '300', ACK_WAIT_MS: '1000' };

describe('kill -9 of one session-svc of two', () => {
  const runners = ['runner-1', 'runner-2'];
  const services = ['session-svc-1', 'session-svc-2'];
  const proxies = new Proxies(services);
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start({ ...proxies.options(), env: SCALED, sessionServices: 2 });
  }, 120_000);

  afterEach(async () => {
    proxies.heal();
    if (fleet) await untilWhole(fleet);
  });

  afterAll(async () => {
    await fleet?.stop();
    await proxies.close();
  }, 60_000);

  describe.each<{ when: string; isMoment: IsMoment }>([
    {
      when: 'before its commit',
      isMoment: (text, from) => from === 'client' && text.includes('append-units'),
    },
    {
      when: 'after its commit, before its reply',
      isMoment: (text, from) => from === 'server' && text.includes('session_uid'),
    },
  ])('$when', ({ isMoment }) => {
    row('row 11: the unit is stored once, whoever it is sent to again', async () => {
      const expected = await withoutFault(fleet, 'count 2');
      const sessionId = aSessionId('row11');

      const killed = killFirst(
        services.map((name) => [proxies.postgres(name), fleet.one(name)] as const),
        isMoment,
      );
      await say(fleet, sessionId, 'count 2');
      await killed;

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1, 2]);
      await checkInvariants(fleet);
    });
  });

  row('row 11: kill -9 while it commits, again and again', async (random) => {
    const load = new Load(fleet, { random, sessions: 8, turns: 5 });
    let kills = 0;
    for (; kills < 4; kills++) {
      const service = fleet.one(random.pick(services));
      const pid = await Promise.race([killWhileCommitting(service.name), load.done]);
      if (pid === undefined) break;
      await service.untilRestarted(pid);
    }
    await load.done;

    expect(kills).toBeGreaterThan(1);
    await checkInvariants(fleet, { turns: load.turns });
  });

  /** The statement is passed on, then its sender killed: whether Postgres has read it is for chance to say. */
  function killWhileCommitting(name: string): Promise<number> {
    const proxy = proxies.postgres(name);
    return new Promise((resolve) => {
      proxy.tap((chunk, from) => {
        if (from === 'client' && chunk.includes('append-units')) {
          proxy.tap(undefined);
          setImmediate(() => void fleet.one(name).kill().then(resolve));
        }
        return 'pass';
      });
    });
  }

  row('row 12: kill -9 between publishing events and noting it', async () => {
    const sessionId = aSessionId('row12');
    let hasPublished = false;
    const killed = killFirst(
      services.map((name) => [proxies.nats(name), fleet.one(name)] as const),
      (text, from) => {
        hasPublished ||= from === 'client' && /^H?PUB event\./m.test(text);
        return hasPublished && from === 'server' && text.includes('"stream":"EVENTS"');
      },
    );

    await say(fleet, sessionId, 'count 4');
    await killed;

    const { stored } = await checkInvariants(fleet);
    const last = stored.sessions.find(({ id }) => id === sessionId)?.lastSeq ?? 0;
    expect(last).toBeGreaterThan(8);
    expect(await publishedSeqs(fleet.natsUrl, sessionId)).toEqual(upTo(last));
  });

  row(
    'row 13: two relays and two sweepers with work for both: nothing runs twice or out of order',
    async (random) => {
      const messages = ['count 3', 'wait 120', 'both 40'];
      const load = new Load(fleet, { random, sessions: 10, turns: 3, messages });
      for (const name of runners) {
        await waitUntil('some turns', () => load.turns.length > 2 || undefined);
        const runner = fleet.one(name);
        await runner.untilRestarted(await runner.kill());
      }
      await load.done;

      const { stored, effects } = await checkInvariants(fleet, { turns: load.turns });
      const sessions = new Set(load.turns.map(({ sessionId }) => sessionId));
      const begun = effects.filter(({ sessionId, phase }) => sessions.has(sessionId) && phase === 'begin');
      expect(begun).toHaveLength(new Set(begun.map(({ idempotencyKey }) => idempotencyKey)).size);
      for (const { id, lastSeq } of stored.sessions.filter((one) => sessions.has(one.id)))
        expect([id, await publishedSeqs(fleet.natsUrl, id)]).toEqual([id, upTo(lastSeq)]);
    },
  );
});
