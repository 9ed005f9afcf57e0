import { type Ticket } from '@skein/contracts';
import { mintTicket } from '@skein/session-store';
import { aHeldCall, type HeldCall } from '../integration/held-call';
import { sharedServices } from '../integration/session-services';
import { eventually, SECRET } from '../integration/session-store-harness';
import { publishResult, statusOfCall } from '../integration/session-svc-harness';

const spec = sharedServices();
const { ground, cleanup } = spec;

const anOpenCall = (): Promise<HeldCall> => aHeldCall(ground, cleanup);

async function counted(disposition: string): Promise<number> {
  const page = await spec.service.health.metrics.render();
  const line = page.split('\n').find((one) => one.includes(`disposition="${disposition}"`)) ?? '0';
  return Number(line.split(' ').at(-1));
}

async function untilCounted(disposition: string, count: number): Promise<void> {
  await eventually(`${count} results that are ${disposition}`, async () =>
    (await counted(disposition)) >= count ? true : undefined,
  );
}

async function storedValue({ dispatchId }: Ticket): Promise<unknown> {
  const { rows } = await ground.database.pool.query<{ value: unknown }>(
    `SELECT result->'outcome'->'value' AS value FROM adk_tool_calls WHERE dispatch_id = $1`,
    [dispatchId],
  );
  return rows[0]?.value;
}

describe('results that are not what they say', () => {
  it.each<[string, (own: Ticket, others: Ticket) => Ticket]>([
    ['with a ticket of another maker', (own) => mintTicket('a guess', 'add', own)],
    ['of another tool', (own) => mintTicket(SECRET, 'pay', own)],
    [
      'with the ticket of a call that another worker has',
      (own, others) => ({ ...others, dispatchId: own.dispatchId }),
    ],
    ['for an attempt that was never given', (own) => ({ ...own, attempt: own.attempt + 1 })],
    ['with a later deadline', (own) => ({ ...own, deadlineMs: own.deadlineMs + 60_000 })],
    ['without a signature', (own) => ({ ...own, hmac: '' })],
  ])('%s are refused and counted, and the run waits on (row 16)', async (_what, forge) => {
    const mine = await anOpenCall();
    const other = await anOpenCall();
    const before = await counted('forged');

    await publishResult(ground, mine.handover, forge(mine.ticket, other.ticket), 'forged');

    await untilCounted('forged', before + 1);
    expect(await statusOfCall(ground, mine.ticket.dispatchId)).toBe('dispatched');
    expect(mine.runner.results).toEqual([]);
  });

  it('that come again, or late with other words, change nothing: the first one stands (row 17)', async () => {
    const { handover, ticket } = await anOpenCall();
    const before = await counted('duplicate');

    await publishResult(ground, handover, ticket, 'first');
    await untilCounted('stored', 1);
    await publishResult(ground, handover, ticket, 'replayed');
    await untilCounted('duplicate', before + 1);

    expect(await storedValue(ticket)).toBe('first');
  });

  it('of a call, sent for another run, reach neither (row 17)', async () => {
    const mine = await anOpenCall();
    const other = await anOpenCall();
    const before = await counted('unknown');

    await publishResult(ground, other.handover, mine.ticket, 'elsewhere');

    await untilCounted('unknown', before + 1);
    expect(await statusOfCall(ground, mine.ticket.dispatchId)).toBe('dispatched');
    expect(await statusOfCall(ground, other.ticket.dispatchId)).toBe('dispatched');
  });
});
