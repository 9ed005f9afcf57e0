import { getFunctionResponses } from '@skein/engine';
import { type Client } from 'pg';
import { waitUntil } from '../support/wait-until';
import { withDatabase } from './support/database';
import { Fleet } from './support/fleet';
import { type FleetProcess } from './support/fleet-process';
import { checkInvariants } from './support/invariants';
import { Load } from './support/load';
import { row } from './support/row';
import { takeTurn } from './support/turn';

const MESSAGES = ['pay 400', 'wait 300', 'both 200', 'count 3', 'talk 8 40', 'hello'];

/** Default settings: no lease runs out and no sweep is waited for when processes end as they are told to. */
describe('a rolling restart', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start({ gateways: 2, sessionServices: 2, runners: 2, toolWorkers: 2 });
  }, 120_000);

  afterAll(() => fleet?.stop(), 60_000);

  row(
    'row 41: every process is replaced under load: no request fails, nothing that may happen once happens twice',
    async (random) => {
      let draining: string | undefined;
      // Readiness and a preStop hook tell a load balancer to leave a gateway out before it hears of its end.
      const balanced = Object.create(fleet, {
        urls: { get: () => fleet.urls.filter((url) => url !== draining) },
      }) as Fleet;
      const loads: Load[] = [];
      const turnsOf = (): Load['turns'] => loads.flatMap(({ turns }) => turns);
      /** Replaces a process while twenty sessions talk, and waits until turns have come to their end since. */
      const replace = async (one: FleetProcess): Promise<void> => {
        const load = new Load(balanced, { random, sessions: 20, turns: 2, messages: MESSAGES });
        loads.push(load);
        await waitUntil('the load to be under way', () => load.turns.length >= 5 || undefined);
        draining = one.app === 'gateway' ? one.url : undefined;
        const pid = await one.kill('SIGTERM');
        await one.untilRestarted(pid);
        draining = undefined;
        await load.done;
      };

      for (const app of ['session-svc', 'runner', 'tool-worker', 'gateway'] as const) {
        for (const one of fleet.of(app)) await replace(one);
      }

      const turns = turnsOf();
      const { invocations } = (await checkInvariants(fleet, { turns, repeatedAsks: 0 })).stored;
      expect(fleet.processes.map(({ name, exits }) => [name, exits.map(({ code }) => code)])).toEqual(
        fleet.processes.map(({ name }) => [name, [0]]),
      );
      expect(turns.filter(({ status }) => status !== 200)).toEqual([]);
      expect(turns.flatMap(({ refusals }) => refusals).filter((why) => why !== 'resumed')).toEqual([]);
      expect(invocations.filter(({ status, attempt }) => status !== 'completed' || attempt > 1)).toEqual([]);
      const paid = turns
        .flatMap(({ events }) => events.flatMap(getFunctionResponses))
        .filter(({ name }) => name === 'pay')
        .map(({ response }) => response);
      expect(paid).toEqual(paid.map(() => ({ paid: true })));
      const resumed = turns.filter(({ refusals }) => refusals.length > 0).length;
      console.info('a rolling restart', { turns: turns.length, paid: paid.length, resumed });
    },
    300_000,
  );

  row(
    'row 41: after SIGTERM another runner has the runs within a second, whether a tool or a model is waited for',
    async () => {
      const tookMs: number[] = [];
      for (let round = 0; tookMs.length < 30; round++) tookMs.push(...(await endOneRunner(fleet, round)));

      tookMs.sort((a, b) => a - b);
      const at = (share: number): number => Math.round(tookMs[Math.ceil(share * tookMs.length) - 1] ?? NaN);
      console.info('from SIGTERM to another owner', { runs: tookMs.length, p50Ms: at(0.5), p99Ms: at(0.99) });
      expect(at(0.5)).toBeLessThanOrEqual(1_000);
      // A loaded machine may be late for the slowest; had its lease to run out, it would be 15 s.
      expect(at(0.99)).toBeLessThanOrEqual(5_000);
      await checkInvariants(fleet, { repeatedAsks: 0 });
    },
    180_000,
  );
});

const RUNS = 12;

/** Ends one of two runners under twelve runs, and answers how long each that it had was without another owner. */
async function endOneRunner(fleet: Fleet, round: number): Promise<number[]> {
  const prefix = `over-${round}-`;
  const turns = Array.from({ length: RUNS }, (_, n) =>
    takeTurn({
      url: () => fleet.url,
      app: 'errands',
      sessionId: `${prefix}${n}`,
      message: n % 3 === 0 ? 'talk 15 100' : 'wait 2500',
      stream: true,
    }),
  );
  const ending = fleet.one(`runner-${1 + (round % 2)}`);
  return withDatabase(fleet.databaseUrl, async (database) => {
    // On a slow machine the first may be over before the last has begun.
    const first = await waitUntil('every run to have had an owner', async () => {
      const runs = await readRuns(database, prefix);
      return runs.filter(({ status }) => status !== 'queued').length === RUNS ? runs : undefined;
    });
    const left = new Map(
      first.filter(({ owner }) => owner?.startsWith(`${ending.name}-`)).map(({ id, owner }) => [id, owner]),
    );
    const { pid } = ending;
    const tookMs: number[] = [];
    const begunMs = performance.now();
    ending.signal('SIGTERM');
    await waitUntil('every run to go on elsewhere, or to end', async () => {
      for (const { id, status, owner } of await readRuns(database, prefix)) {
        const isElsewhere = left.has(id) && owner !== null && owner !== left.get(id);
        if (isElsewhere) tookMs.push(performance.now() - begunMs);
        if (isElsewhere || status === 'completed') left.delete(id);
      }
      return left.size === 0 || undefined;
    });
    await Promise.all(turns);
    await ending.untilRestarted(pid);
    await fleet.untilReady();
    return tookMs;
  });
}

interface Run {
  readonly id: string;
  readonly status: string;
  readonly owner: string | null;
}

async function readRuns(database: Client, prefix: string): Promise<Run[]> {
  const { rows } = await database.query<Run>(
    `select session_id as id, status, case when status = 'running' then owner end as owner
       from adk_invocations where starts_with(session_id, $1)`,
    [prefix],
  );
  return rows;
}
