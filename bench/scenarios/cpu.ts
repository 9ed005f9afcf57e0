import path from 'node:path';
import { Databases } from '../commits';
import { InsideProcesses } from '../inside-processes';
import { startSkeleton } from '../limits/turn-skeleton';
import { processorMs } from '../process-figures';
import { type Figures, type Measured, round, type Spread } from '../report';
import { mediansOf, spreadOf } from '../rounds';
import { type BenchStack, measureOnStack } from '../with-stack';
import { type CpuProfile, topFunctions } from './cpu/top-functions';
import { named } from './peers/named-figures';
import { IN_FLIGHT, ONE_OF_EACH, perSecond, runOver, TURN_NOTE, WARM_UP_TURNS } from './turn';

const ROUNDS = 3;
const TURNS = 1_920;
const NOTE = `${TURN_NOTE} Processor time of each process for one turn with ${IN_FLIGHT} in flight, ours and the skeleton's (the bare hops of our design) in turns, medians of ${ROUNDS} rounds. The functions: share of a process's processor time in the function itself, sampled every 0.5 ms.`;

/** Whose processor time is counted: a URL to send turns to, and the processes behind it. */
interface Counted {
  readonly name: string;
  readonly url: string;
  readonly pids: Readonly<Record<string, number>>;
}

/** Where the processor time of a turn goes, by process and by function; and where that of the bare hops goes. */
export async function measureCpu(): Promise<Measured> {
  const inside = new InsideProcesses('profile');
  let spread: Spread = {};
  let samples: unknown;
  try {
    const measured = await measureOnStack({ ...ONE_OF_EACH, ...inside.env }, async (stack) => {
      const counted = await besideSkeleton(stack);
      spread = counted.spread;
      inside.signal(stack.processes());
      await runOver(stack.url, { prefix: 'profiled', turns: TURNS, inFlight: IN_FLIGHT });
      const profiles = await inside.ask(stack.processes());
      samples = Object.fromEntries(
        // What V8 answers to Profiler.stop.
        [...profiles].map(([name, profile]) => [name, topFunctions(profile as CpuProfile)]),
      );
      return counted.figures;
    });
    return { ...measured, spread, samples, note: NOTE };
  } finally {
    inside.close();
  }
}

async function besideSkeleton(stack: BenchStack): Promise<{ figures: Figures; spread: Spread }> {
  const databases = new Databases(stack.databaseUrl);
  await databases.connect();
  const url = await databases.create('limit-skeleton');
  await databases.close();
  const skeleton = await startSkeleton(url, path.join(stack.dataDir, 'limit-skeleton'));
  try {
    const pids = Object.fromEntries(stack.processes().map(({ app, pid }) => [app, pid]));
    const { postgres } = pids;
    if (postgres === undefined) throw new Error('PostgreSQL is not of this stack');
    return await inTurns([
      { name: '', url: stack.url, pids },
      // It has its own NATS server, and on this PostgreSQL nobody else works meanwhile.
      { name: 'skeleton', url: skeleton.url, pids: { ...skeleton.pids, postgres } },
    ]);
  } finally {
    await skeleton.stop();
  }
}

async function inTurns(all: readonly Counted[]): Promise<{ figures: Figures; spread: Spread }> {
  for (const { url } of all)
    await runOver(url, { prefix: 'warm', turns: WARM_UP_TURNS, inFlight: IN_FLIGHT });
  const rounds: Figures[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    let figures: Figures = {};
    for (const one of all) figures = { ...figures, ...named(one.name, await oneRound(one, n)) };
    rounds.push(figures);
  }
  return { figures: mediansOf(rounds), spread: spreadOf(rounds) };
}

async function oneRound({ url, pids }: Counted, n: number): Promise<Figures> {
  const used = (): [string, number][] => [
    ...Object.entries(pids).map(([name, pid]): [string, number] => [name, processorMs(pid)]),
    ['client', ownProcessorMs()],
  ];
  const before = new Map(used());
  const taken = await runOver(url, { prefix: `round-${n}`, turns: TURNS, inFlight: IN_FLIGHT });
  const perTurn = used().map(([name, ms]) => [name, (ms - (before.get(name) ?? NaN)) / TURNS] as const);
  return {
    turnsPerSecond64: perSecond(taken),
    ...Object.fromEntries(perTurn.map(([name, ms]) => [`processorMsPerTurn ${name}`, round(ms)])),
    'processorMsPerTurn all': round(perTurn.reduce((sum, [, ms]) => sum + ms, 0)),
  };
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
