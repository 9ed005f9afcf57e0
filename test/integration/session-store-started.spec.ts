import { randomUUID } from 'node:crypto';
import { type Handover, type Ticket, type ToolPolicy, type ToolResultMessage } from '@skein/contracts';
import {
  beginAgain,
  beginTool,
  givenUp,
  inspectDeadLetter,
  noteBegunCalls,
  redriveDeadLetter,
  storeRedriven,
  storeResult,
} from '@skein/session-store';
import { aCall, aKey, anEvent, aUnit, startRun, useStore } from './session-store-harness';

const store = useStore();

interface Sent {
  readonly run: Handover;
  readonly ticket: Ticket;
}

async function aSentCall(policy: Partial<ToolPolicy> = {}): Promise<Sent> {
  const run = await startRun(store.pool, aKey());
  const call = aCall({ policy: { timeoutMs: 1_000, maxAttempts: 5, sideEffect: 'idempotent', ...policy } });
  const { tickets } = await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
  const [ticket] = tickets;
  if (!ticket) throw new Error('the call got no ticket');
  return { run, ticket };
}

/** Ended by a worker at that attempt, or else by session-svc. */
function ended({ run, ticket }: Sent, code: string, attempt?: number): ToolResultMessage {
  const result = givenUp({ ...run, tool: 'add', ticket }, { code, message: 'It came to nothing.' });
  if (attempt === undefined) return result;
  return { ...result, execution: { ...result.execution, worker: 'w1', attempt } };
}

async function letterOf(call: Sent, result: ToolResultMessage): Promise<number | undefined> {
  expect(await storeResult(store.pool, result, { status: 'dead' })).toBe('stored');
  return startedOf(call);
}

async function startedOf({ ticket }: Sent): Promise<number | undefined> {
  return (await inspectDeadLetter(store.pool, { appName: 'app', dispatchId: ticket.dispatchId })).started;
}

describe('the starts that a dead letter counts', () => {
  it.each(['tool.no-worker', 'tool.not-started', 'tool.unsendable', 'tool.deadline'])(
    'are none of a call that nobody ever began: %s',
    async (code) => {
      const call = await aSentCall();

      expect(await letterOf(call, ended(call, code))).toBe(0);
    },
  );

  it('are those up to the attempt its worker names; of a deadline that was over before it, those before', async () => {
    const [ran, late, unknown] = [await aSentCall(), await aSentCall(), await aSentCall()];

    expect(await letterOf(ran, ended(ran, 'tool.timeout', 2))).toBe(2);
    expect(await letterOf(late, ended(late, 'tool.deadline', 2))).toBe(1);
    expect(await letterOf(unknown, ended(unknown, 'tool.unknown', 1))).toBe(0);
  });

  it('are never more than there may be, whatever a worker that counts deliveries says', async () => {
    const call = await aSentCall();

    expect(await letterOf(call, ended(call, 'tool.attempts-spent', 7))).toBe(5);
  });

  it('are those that were counted, and one that a worker was heard to be at', async () => {
    const [counted, heard] = [await aSentCall(), await aSentCall()];
    await beginAgain(store.pool, {
      ...{ tool: 'add', ticket: counted.ticket, invocationId: counted.run.invocationId },
      ...{ handler: randomUUID(), returned: 0, started: 4, beside: 0 },
    });
    await noteBegunCalls(store.pool, [{ dispatchId: heard.ticket.dispatchId, pool: 'default', agoMs: 0 }]);

    expect(await letterOf(counted, ended(counted, 'tool.poison'))).toBe(2);
    expect(await letterOf(heard, ended(heard, 'tool.deadline'))).toBe(1);
  });

  it('are one or none of a call that may run once, by whether it was begun', async () => {
    const [begun, idle] = [await aSentCall({ sideEffect: 'once' }), await aSentCall({ sideEffect: 'once' })];
    const { ticket, run } = begun;
    const handler = randomUUID();
    await beginTool(store.pool, {
      ...{ ticket, handler },
      invocationId: run.invocationId,
      tool: 'add',
      message: '1',
    });

    expect(await letterOf(begun, ended(begun, 'tool.outcome-unknown', 4))).toBe(1);
    expect(await letterOf(idle, ended(idle, 'tool.deadline', 4))).toBe(0);
  });

  it('grow by each redrive that was begun, whose attempt has a number of its own', async () => {
    const call = await aSentCall();
    await letterOf(call, ended(call, 'tool.no-worker'));
    await store.pool.query(`UPDATE adk_tool_calls SET applied_seq = 2 WHERE dispatch_id = $1`, [
      call.ticket.dispatchId,
    ]);
    const key = { appName: 'app', dispatchId: call.ticket.dispatchId, isForced: false };
    const redriven = { ...call, ticket: { ...call.ticket, attempt: 2 } };

    await redriveDeadLetter(store.pool, key);
    await storeRedriven(store.pool, ended(redriven, 'tool.threw', 2));

    expect(await startedOf(call)).toBe(1);
  });
});
