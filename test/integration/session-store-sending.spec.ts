import { type AppendUnit, type CallRow, type Handover } from '@skein/contracts';
import { type StoredChain } from '@skein/session-store';
import { completed } from './segments-harness';
import { aCall, aKey, anEvent, aUnit, startRun, useStore } from './session-store-harness';

const chains: StoredChain[] = [];
const store = useStore({ prepare: (chain) => () => void chains.push(chain) });

function aUnitWithCalls(run: Handover, appendNo: number, calls: CallRow[]): AppendUnit {
  const sending = [{ state: {}, calls: calls.map(({ dispatchId }) => ({ dispatchId })) }];
  return aUnit(run, appendNo, { has: [anEvent()], calls, sending });
}

/** Of units that are stored by one statement. */
async function sentOf(units: readonly AppendUnit[]): Promise<readonly string[]> {
  chains.length = 0;
  await Promise.all(units.map((unit) => store.batcher.append(unit)));
  expect(chains).toHaveLength(1);
  return chains.flatMap(({ callsToSend }) => callsToSend.map(({ message }) => message.call.dispatchId));
}

async function statusesOf({ invocationId }: Handover): Promise<readonly string[]> {
  const { rows } = await store.pool.query<{ status: string }>(
    'SELECT status FROM adk_tool_calls WHERE invocation_id = $1 ORDER BY call_index',
    [invocationId],
  );
  return rows.map(({ status }) => status);
}

describe('the calls of units that are stored together', () => {
  it('are sent, but for those that have their result by then', async () => {
    const run = await startRun(store.pool, aKey());
    const [open, applied] = [aCall(), aCall({ index: 1 })];

    const sent = await sentOf([
      aUnitWithCalls(run, 1, [open, applied]),
      aUnit(run, 2, { has: [anEvent()], appliedCalls: [applied.dispatchId] }),
    ]);

    expect(sent).toEqual([open.dispatchId]);
    expect(await statusesOf(run)).toEqual(['dispatched', 'done']);
  });

  it.each(['completed', 'failed', 'waiting', 'cancelled'] as const)(
    'are not sent, and keep no place in their pool, when their run has ended as %s by then',
    async (status) => {
      const run = await startRun(store.pool, aKey());

      const sent = await sentOf([
        aUnitWithCalls(run, 1, [aCall()]),
        aUnit(run, 2, { has: [anEvent()], finish: { ...completed, status } }),
      ]);

      expect(sent).toEqual([]);
      expect(await statusesOf(run)).toEqual(['dead']);
    },
  );
});
