import { type AppendUnit, type Event, type Handover, type SessionKey } from '@skein/contracts';
import { cancelInvocation, readEvents, inspectInvocation } from '@skein/session-store';
import { type Pool } from 'pg';
import { anEvent, aUnit } from './session-store-harness';

/** What tells of a cancelled invocation. */
export const told = { errorCode: 'invocation.cancelled', errorMessage: 'The invocation was cancelled.' };

export function keyOf({ appName, userId, sessionId }: SessionKey): SessionKey {
  return { appName, userId, sessionId };
}

export function cancel(
  pool: Pool,
  key: SessionKey,
  invocationId: string,
): ReturnType<typeof cancelInvocation> {
  return cancelInvocation(pool, { ...keyOf(key), invocationId });
}

/** A session's log, which has no gaps. */
export async function eventsOf(pool: Pool, key: SessionKey): Promise<Event[]> {
  const stored = await readEvents(pool, { ...keyOf(key), afterSeq: 0 });
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1));
  return stored.map(({ event }) => event);
}

export function stateOf(
  pool: Pool,
  key: SessionKey,
  invocationId: string,
): ReturnType<typeof inspectInvocation> {
  return inspectInvocation(pool, { ...keyOf(key), invocationId });
}

/** The unit by which a runner ends a cancelled run. */
export function ending(run: Handover, appendNo: number): AppendUnit {
  return aUnit(run, appendNo, { has: [anEvent(told)], finish: { status: 'cancelled' } });
}
