import { getFunctionResponses } from '@skein/engine';
import { checkInvariants } from '../chaos/support/invariants';
import { Load } from '../chaos/support/load';
import { row } from '../chaos/support/row';
import { waitUntil } from '../support/wait-until';
import { ContainerFleet } from './support/container-fleet';
import { type ContainerProcess } from './support/container-process';
import { report } from './support/report';

const MESSAGES = ['pay 400', 'wait 300', 'both 200', 'count 3', 'talk 8 40', 'hello'];
/** Of SHUTDOWN_GRACE_MS, what compose waits before it kills. */
const GRACE_MS = 35_000;

/** Default settings: no lease runs out and no sweep is waited for when processes end as they are told to. */
describe('a rolling restart of containers', () => {
  let fleet: ContainerFleet;

  beforeAll(async () => {
    fleet = await ContainerFleet.start({ gateways: 2, sessionServices: 2 });
  }, 300_000);
  afterAll(() => fleet?.stop(), 120_000);

  row(
    'row 41: every container is replaced under load: no request fails, nothing that may happen once happens twice',
    async (random) => {
      let draining: string | undefined;
      // Readiness and a preStop hook tell a load balancer to leave a gateway out before it hears of its end.
      const balanced = Object.create(fleet, {
        urls: { get: () => fleet.urls.filter((url) => url !== draining) },
      }) as ContainerFleet;
      const loads: Load[] = [];
      /** Replaces a container while ten sessions talk, and waits until turns have come to their end since. */
      const replace = async (one: ContainerProcess): Promise<void> => {
        const load = new Load(balanced, { random, sessions: 10, turns: 2, messages: MESSAGES });
        loads.push(load);
        await waitUntil('the load to be under way', () => load.turns.length >= 3 || undefined);
        draining = one.app === 'gateway' ? one.url : undefined;
        const begunMs = performance.now();
        const pid = await one.kill('SIGTERM');
        const tookMs = performance.now() - begunMs;
        expect(tookMs).toBeLessThan(GRACE_MS);
        report('figure', `${one.app} from SIGTERM to its end: ${Math.round(tookMs / 100) / 10} s`);
        await one.untilRestarted(pid);
        draining = undefined;
        await load.done;
      };

      for (const app of ['session-svc', 'runner', 'tool-worker', 'gateway'] as const) {
        for (const one of fleet.of(app)) await replace(one);
      }

      const turns = loads.flatMap((load) => load.turns);
      const { invocations } = (await checkInvariants(fleet, { turns, repeatedAsks: 0 })).stored;
      expect(fleet.processes.map(({ name, exits }) => [name, exits])).toEqual(
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
      report(
        'figure',
        `rolling restart of ${fleet.processes.length} containers: ${turns.length} requests, 0 failed; ${resumed} streams resumed`,
      );
    },
    600_000,
  );
});
