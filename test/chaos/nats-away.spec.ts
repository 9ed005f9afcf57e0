import { setTimeout as pause } from 'node:timers/promises';
import { type InvocationPage } from '@skein/contracts';
import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { Fleet } from './support/fleet';
import { row } from './support/row';
import { say } from './support/scenes';

/** Scaled down from 5 minutes; longer than what a request waits for NATS to come back. */
const AWAY_MS = 6_000;

describe('NATS that is away', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start();
  }, 120_000);

  afterAll(() => fleet?.stop(), 60_000);

  row(
    'row 17: reads are answered, turns are refused with a time to come back, streams go on afterwards',
    async () => {
      const client = new Client(fleet.url, 'errands');
      await say(fleet, 'before', 'count 2');
      const before = await client.getSession('before');
      const open = say(fleet, 'open', 'talk 40 100');
      await waitUntil('the stream to be under way', async () => {
        const path = `${client.sessionPath('open')}/invocations`;
        const { status, body } = await client.request<InvocationPage>('GET', path);
        return (status === 200 && body.invocations[0]?.status === 'running') || undefined;
      });

      const refusals: {
        readonly status: number;
        readonly retryAfter: string | null;
        readonly tookMs: number;
      }[] = [];
      await fleet.nats.restart('SIGKILL', async () => {
        // What was sent in the moment NATS died is not known to have come to nothing, and is answered 504.
        await waitUntil('the gateway to notice', async () => {
          const { body } = await client.request<{ readonly checks: { readonly nats: string } }>(
            'GET',
            '/ready',
          );
          return body.checks.nats === 'down' || undefined;
        });
        const until = performance.now() + AWAY_MS;
        while (performance.now() < until) {
          const begun = performance.now();
          const { status, headers } = await client.run('before', 'count');
          refusals.push({
            status,
            retryAfter: headers.get('retry-after'),
            tookMs: performance.now() - begun,
          });
          const session = client.sessionPath('before');
          const reads = [
            session,
            `${session}/events?after=0`,
            `${session}/invocations`,
            `${session}/artifacts`,
          ];
          const answers = await Promise.all(reads.map((path) => client.request('GET', path)));
          expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
          await pause(200);
        }
        expect(await client.getSession('before')).toEqual(before);
      });

      expect(refusals.map(({ status }) => status)).toEqual(refusals.map(() => 503));
      expect(refusals.map(({ retryAfter }) => retryAfter)).toEqual(refusals.map(() => '1'));
      expect(refusals[0]?.tookMs).toBeLessThan(4_000);
      expect(Math.max(...refusals.slice(1).map(({ tookMs }) => tookMs))).toBeLessThan(1_000);
      const turn = await open;
      expect([turn.status, turn.failure]).toEqual([200, undefined]);
      expect(turn.streams).toHaveLength(1);
      expect((await say(fleet, 'before', 'count')).status).toBe(200);
    },
    120_000,
  );
});
