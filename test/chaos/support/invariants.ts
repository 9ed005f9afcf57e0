import { isDeepStrictEqual } from 'node:util';
import { waitUntil } from '../../support/wait-until';
import { isAtRest, readStored, type Stored } from './database';
import { type Asked, type Effect, readAsked, readEffects } from './effects';
import {
  callProblems,
  counterProblems,
  effectProblems,
  modelProblems,
  repeatProblems,
  responseProblems,
  sequenceProblems,
  streamProblems,
} from './problems';
import { readQueues } from './queues';
import { type TestedFleet } from './tested-fleet';
import { type Turn } from './turn';

export interface InvariantOptions {
  /** Until then everything has to come to rest. */
  readonly deadlineMs?: number;
  /** What clients saw, to be compared with what is stored. */
  readonly turns?: readonly Turn[];
  /**
   * How many model calls of the sessions of `turns` may have been asked twice: those in flight when their runner died.
   * Not bounded when left out, because a test that kills at random does not know; what was stored is never asked again
   * either way.
   */
  readonly repeatedAsks?: number;
}

export interface Checked {
  readonly stored: Stored;
  readonly asked: readonly Asked[];
  readonly effects: readonly Effect[];
}

/**
 * Waits until everything came to rest, then checks the invariants of the reliability bar against Postgres, the models'
 * request log and the tools' effects. Throws all that is wrong, in words.
 */
export async function checkInvariants(fleet: TestedFleet, options: InvariantOptions = {}): Promise<Checked> {
  await untilAtRest(fleet, options.deadlineMs ?? 30_000);
  const stored = await readStored(fleet.databaseUrl);
  const asked = readAsked(fleet.modelLog);
  const effects = readEffects(fleet.effectsFile);
  const own = new Set(options.turns?.map(({ sessionId }) => sessionId));
  const problems = [
    ...sequenceProblems(stored),
    ...responseProblems(stored),
    ...callProblems(stored),
    ...counterProblems(stored),
    ...effectProblems(stored, effects),
    ...modelProblems(asked),
    ...repeatProblems(
      asked.filter(({ sessionId }) => own.has(sessionId)),
      options.repeatedAsks,
    ),
    ...streamProblems(stored, options.turns ?? []),
    ...(stored.journalRows > 0 ? [`${stored.journalRows} journal rows of ended invocations are left`] : []),
  ];
  if (problems.length > 0)
    throw new Error(`${problems.length} invariants do not hold:\n${problems.join('\n')}`);
  return { stored, asked, effects };
}

/** Invocations at rest, events published, work queues empty. */
export async function untilAtRest(fleet: TestedFleet, deadlineMs: number): Promise<void> {
  let last: unknown = 'nothing could be read';
  const ask = async (): Promise<true | undefined> => {
    try {
      last = await unrest(fleet);
    } catch (error) {
      last = error;
    }
    return isDeepStrictEqual(last, { busy: [], unpublished: [], queues: {} }) || undefined;
  };
  try {
    await waitUntil('everything to come to rest', ask, deadlineMs);
  } catch (error) {
    const what = last instanceof Error ? String(last) : JSON.stringify(last, null, 2);
    throw new Error(`after ${deadlineMs} ms not everything is at rest: ${what}`, { cause: error });
  }
}

async function unrest(fleet: TestedFleet): Promise<unknown> {
  const { invocations, sessions } = await readStored(fleet.databaseUrl);
  return {
    busy: invocations.filter((one) => !isAtRest(one)),
    unpublished: sessions
      .filter(({ lastSeq, publishedSeq }) => lastSeq !== publishedSeq)
      .map(({ id, lastSeq, publishedSeq }) => ({ id, lastSeq, publishedSeq })),
    queues: await readQueues(fleet.natsUrl),
  };
}
