import { type Event, type Handover, type SessionKey } from '@skein/contracts';
import { type AppendBatcher } from '@skein/session-store';
import { type Pool } from 'pg';
import { aKey, anEvent, aUnit, startRun, submit } from './session-store-harness';

export const waiting = { status: 'waiting' } as const;
export const completed = { status: 'completed' } as const;

/** An event with long-running calls of these ids. */
export function asking(...ids: string[]): Event {
  const parts = ids.map((id) => ({ functionCall: { id, name: 'ask', args: {} } }));
  return anEvent({ content: { role: 'model', parts }, longRunningToolIds: ids });
}

/** A message that answers calls of these ids. */
export function responses(...ids: string[]) {
  return {
    role: 'user',
    parts: ids.map((id) => ({ functionResponse: { id, name: 'ask', response: { ok: true } } })),
  };
}

/** Sends the user's answer to calls. */
export function answer(
  pool: Pool,
  key: SessionKey,
  ids: string | string[],
  more: Record<string, unknown> & { readonly runnerId?: string } = {},
): ReturnType<typeof submit> {
  const { appName, userId, sessionId } = key;
  return submit(pool, { appName, userId, sessionId }, { newMessage: responses(...[ids].flat()), ...more });
}

/** The answer's segment, claimed for `runner-1`. */
export async function startSegment(pool: Pool, key: SessionKey, id: string): Promise<Handover> {
  const { handover } = await answer(pool, key, id, { runnerId: 'runner-1' });
  if (!handover) throw new Error('nothing was claimed');
  return handover;
}

/** A session with an invocation that waits for the answers to these calls, as its first two events. */
export async function aWaiting(
  pool: Pool,
  batcher: AppendBatcher,
  ...ids: string[]
): Promise<{ key: SessionKey; asked: Handover }> {
  const key = aKey();
  const asked = await startRun(pool, key);
  const has = [anEvent({ author: 'user' }), asking(...ids)];
  await batcher.append(aUnit(asked, 1, { has, finish: waiting }));
  return { key, asked };
}
