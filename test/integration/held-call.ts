import { randomUUID } from 'node:crypto';
import { type Handover, type SessionKey, type Ticket } from '@skein/contracts';
import { aCall, anEvent, aUnit } from './session-store-harness';
import {
  appendTo,
  type Cleanup,
  type FakeRunner,
  handoverOf,
  type ServiceGround,
  startFakeRunner,
  submitTo,
} from './session-svc-harness';

export interface HeldCall {
  readonly key: SessionKey;
  readonly runner: FakeRunner;
  readonly handover: Handover;
  readonly ticket: Ticket;
}

/**
 * A call that a worker may have in hand, of a session of its own. Its runner keeps results in hand, as one does whose turn
 * has other calls, so that session-svc stores the first.
 */
export async function aHeldCall(
  ground: ServiceGround,
  cleanup: Cleanup,
  userId = `user-${randomUUID()}`,
): Promise<HeldCall> {
  const runner = await startFakeRunner(ground, cleanup, undefined, 'held');
  const key = { appName: 'app', userId, sessionId: randomUUID() };
  const handover = await handoverOf(runner, await submitTo(ground, key));
  const unit = aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [aCall()] });
  const { tickets } = await appendTo(ground, unit);
  const [ticket] = tickets;
  if (!ticket) throw new Error('the call got no ticket');
  return { key, runner, handover, ticket };
}
