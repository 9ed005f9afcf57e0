import { randomUUID } from 'node:crypto';
import { type Handover, type ToolPolicy, type ToolResultMessage } from '@skein/contracts';
import {
  type BackInQueue,
  beginAgain,
  mintTicket,
  noteBegunCalls,
  retryCall,
  returnCall,
} from '@skein/session-store';
import { aCall, aKey, anEvent, aUnit, SECRET, startRun, useStore } from './session-store-harness';

const store = useStore();
const POLICY: ToolPolicy = { timeoutMs: 1_000, maxAttempts: 2, sideEffect: 'idempotent' };

interface Sent {
  readonly run: Handover;
  readonly dispatchId: string;
}

async function aSentCall(pool = 'default'): Promise<Sent> {
  const run = await startRun(store.pool, aKey());
  const call = aCall({ policy: POLICY, pool });
  await store.batcher.append(aUnit(run, 1, { has: [anEvent()], calls: [call] }));
  return { run, dispatchId: call.dispatchId };
}

type Said = Partial<Pick<Parameters<typeof returnCall>[1], 'reason' | 'returned' | 'started'>> & {
  readonly attempt?: number;
};

function giveBack(
  { run, dispatchId }: Sent,
  { attempt = 1, ...said }: Said,
): Promise<BackInQueue | undefined> {
  return returnCall(store.pool, {
    ...{ tool: 'add', invocationId: run.invocationId, reason: 'unstarted', returned: 0, started: 0, ...said },
    ticket: mintTicket(SECRET, 'add', { dispatchId, attempt, deadlineMs: 0 }),
  });
}

/** Of its first attempt, which asks for another. */
function aFailure({ run, dispatchId }: Sent): ToolResultMessage {
  const { appName, userId, sessionId, invocationId } = run;
  return {
    ...{ appName, userId, sessionId, invocationId, tool: 'add', actions: anEvent().actions, retry: {} },
    ticket: mintTicket(SECRET, 'add', { dispatchId, attempt: 1, deadlineMs: 0 }),
    outcome: { kind: 'error', code: 'tool.threw', message: 'no' },
    execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
  };
}

/** As if its turn had come. */
async function dispatch({ dispatchId }: Sent): Promise<void> {
  await store.pool.query(
    `UPDATE adk_tool_calls SET status = 'dispatched', sent_at = clock_timestamp(), dispatched_at = clock_timestamp()
      WHERE dispatch_id = $1`,
    [dispatchId],
  );
}

async function rowOf({ dispatchId }: Sent): Promise<{ startDeadline: string | null; missed: number }> {
  const { rows } = await store.pool.query<{ startDeadline: string | null; missed: number }>(
    `SELECT start_deadline::text AS "startDeadline", missed FROM adk_tool_calls WHERE dispatch_id = $1`,
    [dispatchId],
  );
  const [row] = rows;
  if (!row) throw new Error('no such call');
  return row;
}

async function announce({ dispatchId }: Sent): Promise<void> {
  await noteBegunCalls(store.pool, [{ dispatchId, pool: 'default', agoMs: 0 }]);
}

describe('a call that is handed back', () => {
  it('waits from the third time on, also when every worker says that it leaves', async () => {
    const call = await aSentCall();
    const waits: (number | undefined)[] = [];

    for (let returned = 0; returned < 9; returned++) {
      waits.push((await giveBack(call, { returned }))?.waitMs);
      await dispatch(call);
    }

    expect(waits.slice(0, 2)).toEqual([0, 0]);
    for (const [index, most] of [200, 400, 800, 1_600, 3_000, 3_000, 3_000].entries()) {
      expect(waits[index + 2]).toBeGreaterThanOrEqual(most / 2);
      expect(waits[index + 2]).toBeLessThanOrEqual(most);
    }
  });

  it('has to begin by the time it had, however often a worker says that it runs it before it hands it back', async () => {
    const call = await aSentCall();
    const { startDeadline } = await rowOf(call);

    for (let returned = 0; returned < 3; returned++) {
      await announce(call);
      expect((await rowOf(call)).startDeadline).toBeNull();
      expect(await giveBack(call, { returned })).toBeDefined();
      expect((await rowOf(call)).startDeadline).toBe(startDeadline);
      await dispatch(call);
    }
    expect(startDeadline).not.toBeNull();
  });

  it('has a time of its own for each attempt after one that was lost, as often as it has attempts', async () => {
    const call = await aSentCall();
    const deadlines = [(await rowOf(call)).startDeadline];

    for (let returned = 0; returned < 3; returned++) {
      await announce(call);
      expect(await giveBack(call, { returned, started: 1, attempt: returned + 1 })).toBeDefined();
      deadlines.push((await rowOf(call)).startDeadline);
      await dispatch(call);
    }

    expect(new Set(deadlines).size).toBe(3);
    expect(deadlines[3]).toBe(deadlines[2]);
  });

  it('row 33: has a time of its own each time it has to wait until another is alone, while that one goes on', async () => {
    const [call, other] = [await aSentCall('lonely'), await aSentCall('lonely')];
    await beginAgain(store.pool, {
      ...{ tool: 'add', invocationId: other.run.invocationId, handler: randomUUID() },
      ...{ returned: 0, started: 1, beside: 0 },
      ticket: mintTicket(SECRET, 'add', { dispatchId: other.dispatchId, attempt: 1, deadlineMs: 0 }),
    });
    const deadlines: (string | null)[] = [];
    const crowd = async (returned: number, said: Said = {}): Promise<void> => {
      await announce(call);
      expect(await giveBack(call, { reason: 'crowded', returned, attempt: 2, ...said })).toBeDefined();
      deadlines.push((await rowOf(call)).startDeadline);
      await dispatch(call);
    };

    await crowd(0, { attempt: 1, started: 1 });
    await crowd(1);
    await crowd(2);
    await store.pool.query(`UPDATE adk_tool_calls SET status = 'done' WHERE dispatch_id = $1`, [
      other.dispatchId,
    ]);
    await crowd(3);

    expect(new Set(deadlines.slice(0, 3)).size).toBe(3);
    expect(deadlines[3]).toBe(deadlines[2]);
  });

  describe('row 33: whose time to start begins anew while others go on', () => {
    async function twoCalls(pool: string): Promise<{ call: Sent; other: Sent }> {
      const [call, other] = [await aSentCall(pool), await aSentCall(pool)];
      await beginAgain(store.pool, {
        ...{ tool: 'add', invocationId: other.run.invocationId, handler: randomUUID() },
        ...{ returned: 0, started: 1, beside: 0 },
        ticket: mintTicket(SECRET, 'add', { dispatchId: other.dispatchId, attempt: 1, deadlineMs: 0 }),
      });
      return { call, other };
    }

    it('is not held up by one that is at a later attempt, which was not begun again', async () => {
      const { call, other } = await twoCalls('later');
      const { startDeadline } = await rowOf(call);
      expect(await retryCall(store.pool, aFailure(other))).toMatchObject({ kind: 'queued' });
      await dispatch(other);

      await giveBack(call, { reason: 'crowded' });

      expect((await rowOf(call)).startDeadline).toBe(startDeadline);
    });

    it('does not wait for ever for calls that come one after another', async () => {
      const { call } = await twoCalls('endless');
      const { startDeadline } = await rowOf(call);
      await store.pool.query(
        `UPDATE adk_tool_calls SET inserted_at = inserted_at - interval '10 hours' WHERE dispatch_id = $1`,
        [call.dispatchId],
      );

      await giveBack(call, { reason: 'crowded' });

      expect((await rowOf(call)).startDeadline).toBe(startDeadline);
    });
  });

  it('counts the workers without its tool apart from those that left, and anew for its next attempt', async () => {
    const call = await aSentCall();
    const reasons = ['unstarted', 'unknown', 'unstarted', 'away'] as const;
    for (const [returned, reason] of reasons.entries()) {
      await giveBack(call, { returned, reason });
      await dispatch(call);
    }

    expect((await rowOf(call)).missed).toBe(2);

    await retryCall(store.pool, aFailure(call));
    expect((await rowOf(call)).missed).toBe(0);
  });
});
