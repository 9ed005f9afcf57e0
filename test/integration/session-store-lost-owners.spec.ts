import { AppendBatcher, claimInvocation, expireLeases, readEventPage } from '@skein/session-store';
import { type Pool, type QueryConfig } from 'pg';
import {
  aCall,
  aKey,
  anEvent,
  aUnit,
  LEASE_MS,
  SECRET,
  startRun,
  startTestDatabase,
  submit,
  type TestDatabase,
} from './session-store-harness';

let database: TestDatabase;
let batcher: AppendBatcher;

beforeAll(async () => {
  database = await startTestDatabase();
  batcher = new AppendBatcher(database.pool, { secret: SECRET, leaseMs: LEASE_MS });
});
afterAll(() => database.stop());

describe('an invocation whose owner is lost', () => {
  it('answers nothing when the claim is lost to another runner before it is read', async () => {
    const { submitted } = await submit(database.pool, aKey());
    const { invocationId } = submitted;
    const claimFor = (pool: Pool, runnerId: string) =>
      claimInvocation(pool, { invocationId, runnerId, claimId: runnerId }, LEASE_MS);
    let heir: Awaited<ReturnType<typeof claimFor>>;
    const paused = {
      query: async (config: QueryConfig) => {
        const answer = await database.pool.query(config);
        if (config.name !== 'claim-invocation') return answer;
        await expire(invocationId);
        await expireLeases(database.pool);
        heir = await claimFor(database.pool, 'runner-2');
        return answer;
      },
    } as unknown as Pool;

    expect(await claimFor(paused, 'runner-1')).toBeUndefined();
    expect(heir?.handover.epoch).toBe(3);
  });

  it('gives an invocation up after five lost owners without a stored step', async () => {
    const key = aKey();
    const { submitted } = await submit(database.pool, key);
    const { invocationId } = submitted;

    const statuses: string[] = [];
    for (let lost = 1; lost <= 5; lost++) {
      const claim = { invocationId, runnerId: 'runner-1', claimId: String(lost) };
      expect((await claimInvocation(database.pool, claim, LEASE_MS))?.handover.attempt).toBe(lost);
      await expire(invocationId);
      statuses.push(...(await expireLeases(database.pool)).map(({ status }) => status));
    }

    expect(statuses).toEqual(['queued', 'queued', 'queued', 'queued', 'dead']);
    // What the user said was accepted, so it is in the log although no runner came to store it.
    const { events } = await readEventPage(database.pool, { ...key, afterSeq: 0 });
    expect(events).toMatchObject([
      { seq: 1, event: { author: 'user', content: { role: 'user', parts: [{ text: expect.any(String) }] } } },
      { seq: 2, event: { errorCode: 'invocation.dead' } },
    ]);
  });

  it('ends a given up invocation as its runner would have: open calls answered, one terminal event', async () => {
    const key = aKey();
    const run = await startRun(database.pool, key);
    const callOf = (id: string, name: string) => ({ functionCall: { id, name, args: {} } });
    const asking = anEvent({
      author: 'helper',
      branch: 'root.helper',
      content: { role: 'model', parts: [callOf('c1', 'add'), callOf('c2', 'wait'), callOf('c3', 'sub')] },
      longRunningToolIds: ['c2'],
    });
    const answered = { functionResponse: { id: 'c1', name: 'add', response: { sum: 3 } } };
    const call = aCall({ callId: 'c3', tool: 'sub' });
    await batcher.append(
      aUnit(run, 1, {
        has: [
          anEvent({ author: 'root' }),
          asking,
          anEvent({ author: 'helper', content: { role: 'user', parts: [answered] } }),
        ],
        calls: [call],
        records: [{ stepKey: '0/x', kind: 'step', payload: 1 }],
      }),
    );
    await expire(run.invocationId);
    await expireLeases(database.pool);
    await giveUp(run.invocationId);

    const page = await readEventPage(database.pool, { ...key, afterSeq: 3 });
    expect(page.events).toMatchObject([
      {
        seq: 4,
        event: {
          invocationId: run.invocationId,
          author: 'helper',
          branch: 'root.helper',
          content: {
            role: 'user',
            parts: [{ functionResponse: { id: 'c3', name: 'sub', response: { error: expect.any(String) } } }],
          },
        },
      },
      {
        seq: 5,
        event: { author: 'root', errorCode: 'invocation.dead', errorMessage: expect.stringMatching(/\.$/) },
      },
    ]);
    expect(page.events[1]?.event.content).toBeUndefined();
    expect(page.lastSeq).toBe(5);
    const { rows } = await database.pool.query(
      `SELECT (SELECT count(*)::int FROM adk_journal WHERE invocation_id = $1) AS records,
              (SELECT status FROM adk_tool_calls WHERE dispatch_id = $2) AS call`,
      [run.invocationId, call.dispatchId],
    );
    expect(rows).toEqual([{ records: 0, call: 'dead' }]);
  });
});

/** Loses owners until nobody is left to try. */
async function giveUp(invocationId: string): Promise<void> {
  for (let lost = 1; lost <= 5; lost++) {
    const claim = { invocationId, runnerId: 'runner-1', claimId: String(lost) };
    await claimInvocation(database.pool, claim, LEASE_MS);
    await expire(invocationId);
    await expireLeases(database.pool);
  }
}

async function expire(invocationId: string): Promise<void> {
  await database.pool.query(`UPDATE adk_invocations SET lease_until = now() - interval '1 s' WHERE id = $1`, [
    invocationId,
  ]);
}
