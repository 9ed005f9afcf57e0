import { getFunctionResponses } from '@skein/engine';
import { waitUntil } from '../support/wait-until';
import { Fleet } from './support/fleet';
import { type FleetProcess } from './support/fleet-process';
import { checkInvariants } from './support/invariants';
import { Load } from './support/load';
import { row } from './support/row';

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
      expect(turns.flatMap(({ refusals }) => refusals).filter((why) => why !== 'broken')).toEqual([]);
      expect(invocations.filter(({ status, attempt }) => status !== 'completed' || attempt > 1)).toEqual([]);
      const paid = turns
        .flatMap(({ events }) => events.flatMap(getFunctionResponses))
        .filter(({ name }) => name === 'pay')
        .map(({ response }) => response);
      expect(paid).toEqual(paid.map(() => ({ paid: true })));
      const broken = turns.filter(({ refusals }) => refusals.length > 0).length;
      console.info('a rolling restart', { turns: turns.length, paid: paid.length, resumed: broken });
    },
    300_000,
  );
});
