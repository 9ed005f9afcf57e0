import { markForwarded, readUnappliedResults, storeResult } from '@skein/session-store';
import { type Handover, type Ticket, type ToolResultMessage } from '@skein/contracts';
import { aCall, aKey, anEvent, aUnit, startRun, useStore } from './session-store-harness';

const store = useStore();
beforeEach(() => store.pool.query('DELETE FROM adk_sessions'));

/** A run with that many open calls. */
async function aRunWith(calls: number): Promise<{ run: Handover; tickets: readonly Ticket[] }> {
  const run = await startRun(store.pool, aKey());
  const unit = aUnit(run, 1, { has: [anEvent()], calls: Array.from({ length: calls }, () => aCall()) });
  const { tickets } = await store.batcher.append(unit);
  return { run, tickets };
}

function resultOf(run: Handover, ticket: Ticket, value: unknown): ToolResultMessage {
  const { appName, userId, sessionId, invocationId } = run;
  return {
    ...{ appName, userId, sessionId, invocationId },
    tool: 'add',
    ticket,
    outcome: { kind: 'result', value },
    actions: anEvent().actions,
    execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
  };
}

/** Results of one run whose calls were sent so many minutes ago; those from the third on at one moment. */
async function someResults(
  count: number,
  valueOf: (age: number) => unknown = (age) => age,
): Promise<Handover> {
  const { run, tickets } = await aRunWith(count);
  for (const [age, ticket] of tickets.entries()) {
    await storeResult(store.pool, resultOf(run, ticket, valueOf(age)));
    await store.pool.query(
      `UPDATE adk_tool_calls SET sent_at = '2026-01-01'::timestamptz - least($2, 2) * interval '1 min'
        WHERE dispatch_id = $1`,
      [ticket.dispatchId, age],
    );
  }
  return run;
}

const valuesOf = ({ results }: Awaited<ReturnType<typeof readUnappliedResults>>): unknown[] =>
  results.map(({ result: { outcome } }) => (outcome.kind === 'result' ? outcome.value : outcome));

describe('results nobody applied', () => {
  it('are given the longest waiting first', async () => {
    await someResults(3);

    expect(valuesOf(await readUnappliedResults(store.pool, { limit: 2 }))).toEqual([2, 1]);
  });

  it('are given a page at a time, each of them once, also those that were sent at one moment', async () => {
    await someResults(7);
    const pages: unknown[][] = [];
    for (let after; ;) {
      const page = await readUnappliedResults(store.pool, { after, limit: 2 });
      if (!page.next) break;
      pages.push(valuesOf(page));
      after = page.next;
    }

    expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1]);
    expect(pages.flat().sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(pages.flat().slice(-2)).toEqual([1, 0]);
  });

  it('are given no more at once than is to be held, and at least one', async () => {
    await someResults(3, (age) => String(age).repeat(1_000));

    const two = await readUnappliedResults(store.pool, { maxBytes: 3_500 });
    expect(valuesOf(two)).toEqual(['2'.repeat(1_000), '1'.repeat(1_000)]);
    const one = await readUnappliedResults(store.pool, { maxBytes: 10 });
    expect(valuesOf(one)).toEqual(['2'.repeat(1_000)]);
    expect(valuesOf(await readUnappliedResults(store.pool, { after: one.next, maxBytes: 10 }))).toEqual([
      '1'.repeat(1_000),
    ]);
  });

  it('are not for an owner whose lease is over', async () => {
    const { invocationId } = await someResults(1);
    await store.pool.query(`UPDATE adk_invocations SET lease_until = now() - interval '1 s' WHERE id = $1`, [
      invocationId,
    ]);

    expect(await readUnappliedResults(store.pool)).toEqual({ results: [], next: undefined });
  });

  it('are given again to another claim of the same runner, and to one that did not apply them for 30 s', async () => {
    const { run, tickets } = await aRunWith(1);
    const [ticket] = tickets;
    if (!ticket) throw new Error('no ticket');
    const isWaiting = async (): Promise<boolean> =>
      (await readUnappliedResults(store.pool)).results.length === 1;

    // Held by a claim that was over by the time it was stored; the owner is the same.
    await storeResult(store.pool, resultOf(run, ticket, 1), { heldIn: run.epoch - 1 });
    expect(await isWaiting()).toBe(true);
    await markForwarded(store.pool, ticket.dispatchId, run.epoch);
    expect(await isWaiting()).toBe(false);
    await store.pool.query(
      `UPDATE adk_tool_calls SET forwarded_at = forwarded_at - interval '31 s' WHERE dispatch_id = $1`,
      [ticket.dispatchId],
    );

    expect(await isWaiting()).toBe(true);
  });
});
