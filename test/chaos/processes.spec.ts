import { textOf } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { Load } from './support/load';
import { Proxies } from './support/proxies';
import { readQueues } from './support/queues';
import { row } from './support/row';
import {
  askedOf,
  aSessionId,
  effectsOf,
  epochsOf,
  type IsMoment,
  killFirst,
  ordinalsOf,
  sameForm,
  say,
  untilEffect,
  untilOwned,
  untilWhole,
  withoutFault,
} from './support/scenes';

// Scaled down from 15 s, 2 s and 30 s: they are the time until somebody notices a death. Without lanes: what is cut, copied and waited for here is what NATS carries.
const SCALED = { LEASE_MS: '1500', SWEEP_MS: '300', ACK_WAIT_MS: '1000', LANES: 'false' };

describe('kill -9', () => {
  const runners = ['runner-1', 'runner-2'];
  const workers = ['tool-worker-1', 'tool-worker-2'];
  const services = ['session-svc-1', 'session-svc-2'];
  const proxies = new Proxies([...runners, ...workers, ...services]);
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

  function onNats(names: readonly string[]) {
    return names.map((name) => [proxies.nats(name), fleet.one(name)] as const);
  }

  row('row 3: kill -9 of a runner before its first append', async () => {
    const expected = await withoutFault(fleet, 'hello', 'stalling');
    const before = fleet.log().length;
    const sessionId = aSessionId('row3');

    const turn = say(fleet, sessionId, 'hello', 'stalling');
    const owner = await untilOwned(fleet, sessionId);
    await waitUntil('the run to stall', () => fleet.log().slice(before).includes(`stalling in ${owner.pid}`));
    await owner.kill();
    const { events } = await turn;

    expect(events.map(textOf)).toEqual(['At last.']);
    expect(await sameForm(fleet, sessionId, 'stalling')).toEqual(expected);
    expect(ordinalsOf(fleet, sessionId)).toEqual([0]);
  });

  row('row 4: kill -9 of a runner during a streamed answer', async () => {
    const expected = await withoutFault(fleet, 'talk 12 60');
    const sessionId = aSessionId('row4');

    const turn = say(fleet, sessionId, 'talk 12 60');
    const owner = await untilOwned(fleet, sessionId);
    await killFirst([[proxies.nats(owner.name), owner]], (text) => text.includes('word5 '));
    const { streams, events } = await turn;

    expect(events).toHaveLength(1);
    expect(streams.map(({ resets }) => resets)).toEqual([1]);
    expect(streams[0]?.chunks).toBeGreaterThan(12);
    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    expect(askedOf(fleet, sessionId)).toHaveLength(2);
  });

  // Of whoever sends it, which is session-svc; a runner has nothing to do between the two.
  row('row 5: kill -9 of session-svc after it has stored a call, before it has sent it', async () => {
    const expected = await withoutFault(fleet, 'count');
    const sessionId = aSessionId('row5');

    const killed = killFirst(
      onNats(services),
      (text, from) => from === 'client' && /^H?PUB tool\./m.test(text),
    );
    await say(fleet, sessionId, 'count');
    await killed;

    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin', 'end']);
    expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1]);
  });

  row('row 6: kill -9 of a runner while a tool runs', async () => {
    const expected = await withoutFault(fleet, 'wait 300');
    const sessionId = aSessionId('row6');

    const turn = say(fleet, sessionId, 'wait 300');
    await untilEffect(fleet, sessionId, 'begin');
    await (await untilOwned(fleet, sessionId)).kill();
    await turn;

    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin', 'end']);
    expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1]);
  });

  row('row 7: kill -9 of a runner between reading a result and storing the response', async () => {
    const expected = await withoutFault(fleet, 'count 2');
    const sessionId = aSessionId('row7');

    const killed = killFirst(
      onNats(runners),
      (text, from) =>
        from === 'client' && text.includes('rpc.session.append') && text.includes('functionResponse'),
    );
    await say(fleet, sessionId, 'count 2');
    await killed;

    expect(await sameForm(fleet, sessionId)).toEqual(expected);
    expect(effectsOf(fleet, sessionId)).toHaveLength(4);
    expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1, 2]);
  });

  describe.each<{ when: string; isMoment: IsMoment; begun: number }>([
    {
      when: 'before it runs the call',
      isMoment: (text, from) => from === 'server' && text.includes('"tool":"wait"'),
      begun: 1,
    },
    {
      when: 'before its result is sent',
      isMoment: (text, from) => from === 'client' && /^H?PUB (answer|result)\./m.test(text),
      begun: 2,
    },
  ])('of a worker, $when', ({ isMoment, begun }) => {
    row('row 9: the call is delivered again under the same key, and its response applied once', async () => {
      const expected = await withoutFault(fleet, 'wait 50');
      const sessionId = aSessionId('row9');

      const killed = killFirst(onNats(workers), isMoment);
      await say(fleet, sessionId, 'wait 50');
      await killed;

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      expect(ordinalsOf(fleet, sessionId)).toEqual([0, 1]);
      // Until the queue has given the call to another.
      await checkInvariants(fleet);
      const effects = effectsOf(fleet, sessionId);
      expect(new Set(effects.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      expect(effects.filter(({ phase }) => phase === 'begin')).toHaveLength(begun);
    });
  });

  row(
    'row 9: a call whose worker dies before it acknowledges it is not run again: its result is stored',
    async () => {
      const expected = await withoutFault(fleet, 'wait 50');
      const sessionId = aSessionId('row9');
      // Acks come a while after: that of the call before must not be taken for this one's.
      await waitUntil(
        'every call to be acked',
        async () => (await readQueues(fleet.natsUrl)).TOOLS === undefined || undefined,
      );

      const turn = say(fleet, sessionId, 'wait 50');
      await untilEffect(fleet, sessionId, 'begin');
      const killed = killFirst(
        onNats(workers),
        (text, from) => from === 'client' && text.includes('$JS.ACK.TOOLS'),
      );
      await turn;
      await killed;

      expect(await sameForm(fleet, sessionId)).toEqual(expected);
      // Until the queue has given the call to another.
      await checkInvariants(fleet);
      expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin', 'end']);
    },
  );

  row(
    'row 9: kill -9 of a worker in the middle of a call that may happen once: its outcome is unknown',
    async () => {
      const sessionId = aSessionId('row9');

      const turn = say(fleet, sessionId, 'pay 400');
      const { pid } = await untilEffect(fleet, sessionId, 'begin');
      await fleet.byOwner(pid).kill();
      const { events } = await turn;

      expect(textOf(events.at(-1))).toContain('whether it took effect is not known');
      expect(effectsOf(fleet, sessionId).map(({ phase }) => phase)).toEqual(['begin']);
    },
  );

  row(
    'row 34: a session that kills every runner is dead after its attempts, and others are not affected',
    async (random) => {
      const sessionId = aSessionId('row34');
      const load = new Load(fleet, { random, sessions: 4, turns: 6 });

      const turn = await say(fleet, sessionId, 'die', 'poison');
      await load.done;

      expect(turn.failure).toContain('invocation.dead');
      const { stored } = await checkInvariants(fleet, { turns: load.turns });
      expect(stored.invocations.find((one) => one.sessionId === sessionId)).toMatchObject({
        status: 'dead',
        attempt: 5,
      });
      expect(await epochsOf(fleet, sessionId)).toBeGreaterThanOrEqual(5);
    },
  );
});
