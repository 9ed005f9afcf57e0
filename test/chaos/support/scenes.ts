import { type Session } from '@skein/contracts';
import { type TcpProxy } from '@skein/testing';
import { normalForm } from '../../conformance/normal-form';
import { Client } from '../../support/client';
import { waitUntil } from '../../support/wait-until';
import { readStored, withDatabase } from './database';
import { type Asked, type Effect, readAsked, readEffects } from './effects';
import { type FleetProcess } from './fleet-process';
import { type TestedFleet, type TestedProcess } from './tested-fleet';
import { takeTurn, type Turn } from './turn';

let sessions = 0;

/** An id no other session of this process has. */
export function aSessionId(name: string): string {
  return `${name}-${++sessions}`;
}

/** A message to an agent, streamed, its turn under way. */
export function say(fleet: TestedFleet, sessionId: string, message: string, app = 'errands'): Promise<Turn> {
  const taken = takeTurn({ url: () => fleet.url, app, sessionId, message, stream: true });
  taken.catch(() => undefined); // Whoever awaits it hears of it.
  return taken;
}

/** A session's log and state without ids and times: equal to that of the run that met no fault. */
export async function sameForm(
  fleet: TestedFleet,
  sessionId: string,
  app = 'errands',
): Promise<Pick<Session, 'events' | 'state'>> {
  const client = new Client(fleet.url, app);
  // Right after a fault a read may be refused; that is not what is asked here.
  const { events, state } = await waitUntil(`session ${sessionId} to be read`, async () => {
    const { status, body } = await client.request<Session>('GET', client.sessionPath(sessionId));
    return status === 200 ? body : undefined;
  });
  return normalForm({ events, state });
}

/** The same message in a session of its own, with nothing in its way. */
export async function withoutFault(
  fleet: TestedFleet,
  message: string,
  app = 'errands',
): Promise<Pick<Session, 'events' | 'state'>> {
  const sessionId = aSessionId('undisturbed');
  await say(fleet, sessionId, message, app);
  return sameForm(fleet, sessionId, app);
}

/** The line a tool of this session wrote. */
export function untilEffect(fleet: TestedFleet, sessionId: string, phase: Effect['phase']): Promise<Effect> {
  return waitUntil(`a tool of ${sessionId} to ${phase}`, () =>
    effectsOf(fleet, sessionId).find((effect) => effect.phase === phase),
  );
}

export function effectsOf(fleet: TestedFleet, sessionId: string): Effect[] {
  return readEffects(fleet.effectsFile).filter((effect) => effect.sessionId === sessionId);
}

/** The ordinals a session's model was asked for, each once: a call in flight at a death is repeated. */
export function ordinalsOf(fleet: TestedFleet, sessionId: string): number[] {
  return [...new Set(askedOf(fleet, sessionId).map(({ ordinal }) => ordinal))];
}

/** What a session's models were asked, in order. */
export function askedOf(fleet: TestedFleet, sessionId: string): Asked[] {
  return readAsked(fleet.modelLog).filter((asked) => asked.sessionId === sessionId);
}

/** The request with this ordinal, once it was made. */
export function untilAsked(fleet: TestedFleet, sessionId: string, ordinal: number): Promise<Asked> {
  return waitUntil(`${sessionId} to ask its model for ${ordinal}`, () =>
    askedOf(fleet, sessionId).find((asked) => asked.ordinal === ordinal),
  );
}

/** The runner that runs a session's invocation now. */
export function untilOwned<One extends TestedProcess>(
  fleet: TestedFleet<One>,
  sessionId: string,
): Promise<One> {
  return waitUntil(`${sessionId} to have an owner`, async () => {
    const { invocations } = await readStored(fleet.databaseUrl);
    const running = invocations.find((one) => one.sessionId === sessionId && one.status === 'running');
    return running?.owner ? fleet.byOwner(running.owner) : undefined;
  });
}

/** How many leases of a session ran out, or were given back: its owners, beyond the first. */
export async function epochsOf(fleet: TestedFleet, sessionId: string): Promise<number> {
  return withDatabase(fleet.databaseUrl, async (client) => {
    const { rows } = await client.query<{ owner_epoch: string }>(
      'SELECT owner_epoch FROM adk_sessions WHERE id = $1',
      [sessionId],
    );
    return Number(rows[0]?.owner_epoch);
  });
}

/** Whether bytes on their way are the ones a test waits for. */
export type IsMoment = (text: string, from: 'client' | 'server') => boolean;

/**
 * Kills the first of some processes for which the moment comes: its bytes are not passed on.
 * @param victims each with the proxy whose bytes are watched.
 * @returns settles with the pid it had.
 */
export function killFirst(
  victims: readonly (readonly [TcpProxy, FleetProcess])[],
  isMoment: IsMoment,
): Promise<number> {
  return new Promise((resolve) => {
    for (const [proxy, victim] of victims) {
      proxy.tap((chunk, from) => {
        if (!isMoment(chunk.toString('latin1'), from)) return 'pass';
        for (const [other] of victims) other.tap(undefined);
        void victim.kill('SIGKILL').then(resolve);
        return 'cut';
      });
    }
  });
}

/** The restart is over, so that the next row finds a whole fleet. */
export async function untilWhole(fleet: TestedFleet, deadlineMs = 20_000): Promise<void> {
  await waitUntil(
    'every process to run',
    () => fleet.processes.every(({ isRunning }) => isRunning) || undefined,
    deadlineMs,
  );
  await fleet.untilReady();
}
