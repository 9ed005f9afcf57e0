import { type Fleet } from '../support/fleet';
import { waitUntil } from '../../support/wait-until';
import { type Effect } from './agents/_shared/note-effect';
import { JsonLines } from './json-lines';

/** Until a fault is in place, and until another process has taken over. */
const DEADLINE_MS = 30_000;

/** A fault that is put at one moment of one session of the scenario `slow`. */
export interface AimedFault {
  readonly name: string;
  /** Settles once it is in place, with the pid of the process it fell on. */
  readonly inject: (fleet: Fleet, sessionId: string) => Promise<number>;
}

/** What each of the three promises that a build may break is for; random kills meet their moments only now and then. */
export const aimedFaults: readonly AimedFault[] = [
  {
    name: 'a runner is stopped in mid-turn and goes on after another has taken over',
    inject: async (fleet, sessionId) => {
      const zombie = await untilAsked(fleet, sessionId, 0);
      await untilBegun(fleet, sessionId, 'first');
      process.kill(zombie, 'SIGSTOP');
      try {
        // The other has stored what the first tool gave, and waits for the second.
        await untilBegun(fleet, sessionId, 'second');
      } finally {
        process.kill(zombie, 'SIGCONT');
      }
      return zombie;
    },
  },
  {
    name: 'a runner dies behind a stored answer of its model',
    inject: async (fleet, sessionId) => {
      const owner = await untilAsked(fleet, sessionId, 1);
      await untilBegun(fleet, sessionId, 'second');
      process.kill(owner, 'SIGKILL');
      return owner;
    },
  },
  {
    name: 'a worker dies in the middle of a call',
    inject: async (fleet, sessionId) => {
      const worker = await untilBegun(fleet, sessionId, 'second');
      process.kill(worker, 'SIGKILL');
      return worker;
    },
  },
];

/** The runner that asked the model for its n-th answer. */
function untilAsked(fleet: Fleet, sessionId: string, ordinal: number): Promise<number> {
  return untilNoted(fleet, `the model to be asked for ${ordinal}`, (effect) => {
    return effect.sessionId === sessionId && effect.phase === 'ask' && effect.ordinal === ordinal;
  });
}

/** The worker in which a tool began. */
function untilBegun(fleet: Fleet, sessionId: string, tool: string): Promise<number> {
  return untilNoted(fleet, `${tool} to begin`, (effect) => {
    return effect.sessionId === sessionId && effect.phase === 'begin' && effect.tool === tool;
  });
}

async function untilNoted(
  fleet: Fleet,
  what: string,
  isWanted: (effect: Effect) => boolean,
): Promise<number> {
  const effects = new JsonLines<Effect>(fleet.effectsFile);
  return waitUntil(what, () => effects.newLines().find(isWanted)?.pid, DEADLINE_MS);
}
