import { writeFileSync } from 'node:fs';
import { type DeadLetter } from '@skein/contracts';
import { textOf } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { withDatabase } from './support/database';
import { Fleet } from './support/fleet';
import { type FleetProcess } from './support/fleet-process';
import { GivenUp } from './support/given-up';
import { checkInvariants } from './support/invariants';
import { Load } from './support/load';
import { Proxies } from './support/proxies';
import { row } from './support/row';
import {
  aSessionId,
  effectsOf,
  type IsMoment,
  killFirst,
  say,
  untilEffect,
  untilWhole,
} from './support/scenes';

// Scaled down from 15 s, 2 s and 30 s: they are the time until somebody notices a death.
const SCALED = { LEASE_MS: '1500', SWEEP_MS: '300', ACK_WAIT_MS: '1000' };
const ATTEMPTS = 3;

describe('a call that kills every worker that begins it', () => {
  const services = ['session-svc-1'];
  const proxies = new Proxies(services);
  let fleet: Fleet;
  let givenUp: GivenUp;

  beforeAll(async () => {
    fleet = await Fleet.start({ ...proxies.options(), env: SCALED, toolWorkers: 3 });
    givenUp = new GivenUp(fleet.natsUrl);
  }, 120_000);

  afterEach(async () => {
    proxies.heal();
    for (const one of fleet?.processes ?? []) one.isRestarted = true;
    // On a busy machine the start of two of them takes its time, and the next row wants them all.
    if (fleet) await untilWhole(fleet, 80_000);
  }, 90_000);

  afterAll(async () => {
    await fleet?.stop();
    await proxies.close();
  }, 60_000);

  /** From now on it kills at once. */
  function letCrash(sessionId: string): void {
    writeFileSync(`${fleet.effectsFile}.${sessionId}.crash`, '');
  }

  /** A session whose call has its first worker, known to session-svc, which it has not killed yet. */
  async function aCallAtWork(name: string) {
    const sessionId = aSessionId(name);
    const turn = say(fleet, sessionId, 'crash', 'poison');
    await untilEffect(fleet, sessionId, 'begin');
    await waitUntil('session-svc to hear that it was begun', () => isHeardOf(fleet.databaseUrl, sessionId));
    return { sessionId, turn };
  }

  async function deadLettersOf(sessionId: string): Promise<DeadLetter[]> {
    const answer = await fetch(`${fleet.url}/apps/poison/dead-letters`);
    const { deadLetters } = (await answer.json()) as { deadLetters: DeadLetter[] };
    return deadLetters.filter((one) => one.sessionId === sessionId);
  }

  /** The workers that began it, each dead of it. */
  function victimsOf(sessionId: string): Set<number> {
    return new Set(effectsOf(fleet, sessionId).map(({ pid }) => pid));
  }

  row(
    'row 33: it ends with an error and a dead letter after its attempts, and the calls beside it finish',
    async (random) => {
      const load = new Load(fleet, {
        random,
        sessions: 4,
        turns: 6,
        messages: ['count', 'wait 80', 'both 40'],
      });
      const { sessionId, turn } = await aCallAtWork('row33');

      letCrash(sessionId);
      const { events } = await turn;
      await load.done;

      expect(textOf(events.at(-1))).toContain(`was given to workers ${ATTEMPTS} times and no result came`);
      expect(victimsOf(sessionId).size).toBe(ATTEMPTS);
      expect(await deadLettersOf(sessionId)).toMatchObject([
        { tool: 'crash', code: 'tool.attempts-spent', status: 'open', attempts: ATTEMPTS },
      ]);
      await untilWhole(fleet);
      await checkInvariants(fleet, { turns: load.turns });
    },
  );

  describe.each<{ when: string; watched: 'nats' | 'postgres'; isMoment: IsMoment }>([
    {
      when: 'as it writes the dead letter',
      watched: 'postgres',
      isMoment: (text, from) => from === 'client' && text.includes('store-dead-result'),
    },
    {
      when: 'before it tells JetStream that it has the result',
      watched: 'nats',
      isMoment: (text, from) => from === 'client' && text.includes('$JS.ACK.RESULTS'),
    },
  ])('while session-svc is killed $when', ({ watched, isMoment }) => {
    row('row 33: it ends once, with one dead letter', async () => {
      const { sessionId, turn } = await aCallAtWork('row33');

      const killed = killFirst(
        services.map((name) => [proxies[watched](name), fleet.one(name)]),
        isMoment,
      );
      letCrash(sessionId);
      await killed;
      const { events } = await turn;

      expect(textOf(events.at(-1))).toContain(`was given to workers ${ATTEMPTS} times and no result came`);
      expect(await deadLettersOf(sessionId)).toMatchObject([{ code: 'tool.attempts-spent', status: 'open' }]);
      expect(victimsOf(sessionId).size).toBe(ATTEMPTS);
      await untilWhole(fleet);
      await checkInvariants(fleet);
    });
  });

  describe('and that JetStream gives up first', () => {
    // Its bound is far above a tool's attempts, which end a call before; a worker that starts anew would set it back.
    const DELIVERIES = 2;
    const workers = (): FleetProcess[] => fleet.of('tool-worker');

    beforeEach(async () => {
      await givenUp.after(DELIVERIES);
      for (const worker of workers()) worker.isRestarted = false;
    });

    function untilGivenUp(sessionId: string): Promise<unknown> {
      return waitUntil('the call to have had its deliveries', () =>
        victimsOf(sessionId).size === DELIVERIES &&
        workers().filter(({ isRunning }) => isRunning).length === 1
          ? true
          : undefined,
      );
    }

    /** JetStream gives it up, and tells of it, while session-svc is away. */
    async function dieUnheard(sessionId: string, then?: () => Promise<unknown>): Promise<void> {
      const before = await givenUp.kept();
      const service = fleet.one('session-svc');
      service.isRestarted = false;
      await service.kill();
      letCrash(sessionId);
      await untilGivenUp(sessionId);
      await waitUntil('JetStream to tell of it', async () => (await givenUp.kept()) > before || undefined);
      await then?.();
      service.isRestarted = true;
    }

    row('row 33: it ends by what JetStream tells of it', async () => {
      const { sessionId, turn } = await aCallAtWork('row33');

      letCrash(sessionId);
      const { events } = await turn;

      expect(textOf(events.at(-1))).toContain(
        `its call was delivered ${DELIVERIES} times, and nobody answered`,
      );
      expect(await deadLettersOf(sessionId)).toMatchObject([{ code: 'tool.poison', status: 'open' }]);
      expect((await say(fleet, aSessionId('row33'), 'count')).failure).toBeUndefined();
      await checkInvariants(fleet);
    });

    row('row 35: it ends when who hears of that is back, by what ADVISORIES kept', async () => {
      const { sessionId, turn } = await aCallAtWork('row35');
      await dieUnheard(sessionId);
      const { events } = await turn;

      expect(textOf(events.at(-1))).toContain(
        `its call was delivered ${DELIVERIES} times, and nobody answered`,
      );
      expect(await deadLettersOf(sessionId)).toMatchObject([{ code: 'tool.poison', status: 'open' }]);
      await checkInvariants(fleet);
    });

    row('row 35: it ends by its deadline when what JetStream told is lost', async () => {
      const { sessionId, turn } = await aCallAtWork('row35');
      await dieUnheard(sessionId, () => givenUp.forget());
      const { events } = await turn;

      expect(textOf(events.at(-1))).toContain('The tool said');
      expect(await deadLettersOf(sessionId)).toMatchObject([{ code: 'tool.deadline', status: 'open' }]);
      // Its message, of which nobody was told, goes to nobody: a sweep takes it out.
      await waitUntil(
        'its message to be gone',
        async () => (await givenUp.left()) === 0 || undefined,
        60_000,
      );
      await checkInvariants(fleet);
    });
  });
});

/** Then a worker need not begin it in time any more. */
function isHeardOf(databaseUrl: string, sessionId: string): Promise<true | undefined> {
  return withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query(
      `SELECT 1 FROM adk_tool_calls t JOIN adk_invocations i ON i.id = t.invocation_id
        WHERE i.session_id = $1 AND t.start_deadline IS NULL`,
      [sessionId],
    );
    return rows.length > 0 || undefined;
  });
}
