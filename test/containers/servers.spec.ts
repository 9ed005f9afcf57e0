import { checkInvariants } from '../chaos/support/invariants';
import { Load } from '../chaos/support/load';
import { row } from '../chaos/support/row';
import { waitUntil } from '../support/wait-until';
import { ContainerFleet } from './support/container-fleet';

// Scaled down from 15 s, 2 s and 30 s.
const SCALED = { LEASE_MS: '5000', SWEEP_MS: '300', ACK_WAIT_MS: '3000' };

describe('containers of servers are stopped and started', () => {
  let fleet: ContainerFleet;

  beforeAll(async () => {
    fleet = await ContainerFleet.start({ env: SCALED, sessionServices: 2 });
  }, 240_000);
  afterEach(() => fleet?.heal(), 120_000);
  afterAll(() => fleet?.stop(), 120_000);

  async function untilTurns(load: Load, count: number): Promise<void> {
    await waitUntil(`${count} turns`, () => load.turns.length >= count || undefined);
  }

  row(
    'row 14: NATS restarts under load',
    async (random) => {
      const load = new Load(fleet, { random, sessions: 8, turns: 4 });
      await untilTurns(load, 4);

      await fleet.nats.restart('SIGTERM');
      await load.done;

      await checkInvariants(fleet, { turns: load.turns });
    },
    180_000,
  );

  describe.each([
    ['fast', 'SIGINT'],
    ['immediate', 'SIGQUIT'],
  ] as const)('%s', (_mode, signal) => {
    row(
      'row 22: Postgres restarts under load',
      async (random) => {
        const load = new Load(fleet, { random, sessions: 8, turns: 4 });
        await untilTurns(load, 4);

        await fleet.postgres.restart(signal);
        await load.done;

        await checkInvariants(fleet, { turns: load.turns });
      },
      180_000,
    );
  });
});
