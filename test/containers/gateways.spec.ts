import { type InvocationPage } from '@skein/contracts';
import { checkInvariants } from '../chaos/support/invariants';
import { row } from '../chaos/support/row';
import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { ContainerFleet } from './support/container-fleet';

describe('containers of gateways are killed', () => {
  let fleet: ContainerFleet;

  beforeAll(async () => {
    fleet = await ContainerFleet.start({ gateways: 2, runners: 1, toolWorkers: 1 });
  }, 240_000);
  afterAll(() => fleet?.stop(), 120_000);

  row(
    'row 1: a gateway is killed after it accepted, and the client asks another under the same key',
    async () => {
      const [first, second] = [fleet.one('gateway-1'), fleet.one('gateway-2')];
      const body = { autoCreateSession: true };
      const key = { 'idempotency-key': 'row-1' };
      const broken = new Client(first.url, 'errands').run('row-1', 'wait 2500', body, key);
      const failed = expect(broken).rejects.toThrow();
      const client = new Client(second.url, 'errands');
      const invocations = () =>
        client.request<InvocationPage>('GET', `${client.sessionPath('row-1')}/invocations`);
      const accepted = await waitUntil('the run to be stored', async () => {
        const { status, body: page } = await invocations();
        return status === 200 ? page.invocations[0]?.invocationId : undefined;
      });

      await first.kill();
      await failed;
      const answer = await client.run('row-1', 'wait 2500', body, key);

      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-invocation-id')).toBe(accepted);
      expect((await invocations()).body.invocations).toHaveLength(1);
      const { events } = await client.getSession('row-1');
      const said = events.filter(({ author, content }) => author === 'user' && content?.role === 'user');
      expect(said).toHaveLength(1);
      await checkInvariants(fleet);
    },
    90_000,
  );
});
