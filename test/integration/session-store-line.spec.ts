import { randomUUID } from 'node:crypto';
import { type SessionKey } from '@skein/contracts';
import {
  claimInTurn,
  type ClaimedRun,
  claimInvocation,
  releaseInvocation,
  standInLine,
  touchStaleQueued,
} from '@skein/session-store';
import { aKey, anEvent, aUnit, LEASE_MS, startRun, submit, useStore } from './session-store-harness';

const store = useStore();

/** Every test has the line to itself. */
beforeEach(() => store.pool.query('TRUNCATE adk_sessions, adk_invocations CASCADE'));

const of = (userId: string, sessionId: string): SessionKey => aKey({ userId, sessionId });

/** Finds no runner, so it stands in line. */
async function wait(key: SessionKey): Promise<string> {
  return (await submit(store.pool, key)).submitted.invocationId;
}

function claim(invocationId = 'e-gone', claimId: string = randomUUID()): Promise<ClaimedRun | undefined> {
  return claimInTurn(store.pool, { invocationId, runnerId: 'runner-1', claimId }, LEASE_MS);
}

async function claimAll(): Promise<string[]> {
  const sessions: string[] = [];
  for (let run = await claim(); run; run = await claim()) sessions.push(run.handover.sessionId);
  return sessions;
}

describe('the line of those that wait for a runner', () => {
  it('goes round the users, and serves each of them in the order of its own', async () => {
    for (const sessionId of ['a1', 'a2', 'a3', 'a4']) await wait(of('ada', sessionId));
    for (const sessionId of ['b1', 'b2']) await wait(of('bob', sessionId));
    await wait(of('cy', 'c1'));

    expect(await claimAll()).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
  });

  it('lets who comes late begin beside the first, however many were served before', async () => {
    for (let nth = 1; nth <= 20; nth++) await wait(of('ada', `a${nth}`));
    for (let nth = 1; nth <= 10; nth++) await claim();

    await wait(of('bob', 'b1'));

    expect((await claimAll()).slice(0, 3)).toEqual(['a11', 'b1', 'a12']);
  });

  it('gives each to one of those that claim at the same time', async () => {
    const waiting = Array.from({ length: 8 }, (_, nth) => of(`user-${nth % 3}`, `s${nth}`));
    for (const key of waiting) await wait(key);

    const claimed = await Promise.all(waiting.map(() => claim()));

    const sessions = claimed.map((run) => run?.handover.sessionId);
    expect(new Set(sessions)).toEqual(new Set(waiting.map(({ sessionId }) => sessionId)));
  });

  it('answers a claim that is asked for again with what it got', async () => {
    await wait(of('ada', 'a1'));
    await wait(of('ada', 'a2'));

    const first = await claim('e-any', 'claim-1');
    const again = await claim('e-any', 'claim-1');

    expect(again?.handover).toEqual(first?.handover);
    expect(await claimAll()).toEqual(['a2']);
  });

  it('passes over a session that somebody writes to', async () => {
    await wait(of('ada', 'a1'));
    await wait(of('ada', 'a2'));
    const writer = await store.pool.connect();
    await writer.query('BEGIN');
    await writer.query(`SELECT 1 FROM adk_sessions WHERE id = 'a1' FOR UPDATE`);

    const claimed = await claim();
    await writer.query('ROLLBACK');
    writer.release();

    expect(claimed?.handover.sessionId).toBe('a2');
    expect(await claimAll()).toEqual(['a1']);
  });

  it('is not for those that wait for their session', async () => {
    const key = of('ada', 'a1');
    const run = await startRun(store.pool, key);
    await wait(key);
    await wait(of('ada', 'a2'));

    expect(await claimAll()).toEqual(['a2']);

    await store.batcher.append(aUnit(run, 1, { has: [anEvent()], finish: { status: 'completed' } }));
  });

  it('is headed by what had its turn and was given back', async () => {
    for (const sessionId of ['a1', 'a2', 'a3']) await wait(of('ada', sessionId));
    const first = await claim();
    const direct = await startRun(store.pool, of('bob', 'b1'));
    await claim();

    for (const run of [first?.handover, direct])
      if (run) await releaseInvocation(store.pool, run.invocationId, run.epoch);

    expect(await claimAll()).toEqual(['b1', 'a1', 'a3']);
  });

  it('takes in what a sweep found, and what was left without a place', async () => {
    const [swept, left] = [of('ada', 'a1'), of('ada', 'a2')];
    await wait(swept);
    const leftId = await wait(left);
    await store.pool.query('UPDATE adk_invocations SET turn = NULL');
    expect(await claim()).toBeUndefined();

    await standInLine(store.pool, leftId);
    await touchStaleQueued(store.pool, 0);

    expect(await claimAll()).toEqual(['a2', 'a1']);
  });

  it('gives the one that a claim names where nobody waits', async () => {
    const invocationId = await wait(of('ada', 'a1'));
    await store.pool.query('UPDATE adk_invocations SET turn = NULL');

    expect((await claim(invocationId))?.handover.invocationId).toBe(invocationId);
  });

  it('leaves an earlier runner, which claims the one that it names, what it asks for', async () => {
    await wait(of('ada', 'a1'));
    const named = await wait(of('ada', 'a2'));

    const claimed = await claimInvocation(
      store.pool,
      { invocationId: named, runnerId: 'runner-1', claimId: 'c' },
      LEASE_MS,
    );

    expect(claimed?.handover.sessionId).toBe('a2');
    expect(await claimAll()).toEqual(['a1']);
  });
});
