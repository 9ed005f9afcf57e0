import path from 'node:path';
import { Databases } from '../commits';
import { startNatsLimits } from '../limits/nats';
import { plainAppendsPerSecond } from '../limits/sql-appends';
import { installPeers, peerVersions } from '../peer-process';
import { type Figures, type Measured, round, type Spread } from '../report';
import { mediansOf, spreadOf } from '../rounds';
import { type LoadTaken } from '../run-turns';
import { type BenchStack, measureOnStack } from '../with-stack';
import { type Contestant, starters } from './peers/contestants';
import { named, ratios } from './peers/named-figures';
import { IN_FLIGHT, ONE_OF_EACH, TURN_NOTE, turnFigures } from './turn';

const LIMIT_SECONDS = 1;
const ROUNDS = 7;
const ALONE_TURNS = 300;
const NOTE = `${TURN_NOTE} Every peer does the same turn at its documented best settings (bench/peers), on the same PostgreSQL where it uses one; the skeleton is the bare hops of our design in as many processes as ours. All warm, medians of ${ROUNDS} rounds in turns; the ratios are medians too, of those of each round.`;

/** Figures, and how far the rounds lay apart. */
interface Found {
  readonly figures: Figures;
  readonly spread: Spread;
}

/**
 * The turn of `bench turn`, ours and the peers', all on this machine and in turns, so that what the machine does in a
 * minute happens to all of them; beside them the bare hops of our design, and what Postgres and NATS take by themselves.
 */
export async function measurePeers(): Promise<Measured> {
  installPeers();
  let spread: Spread = {};
  const measured = await measureOnStack(ONE_OF_EACH, async (stack) => {
    const databases = new Databases(stack.databaseUrl);
    await databases.connect();
    const contestants: Contestant[] = [];
    try {
      for (const start of starters(stack, databases)) contestants.push(await start());
      const turns = await interleaved(contestants, databases);
      const limits = await measureLimits(stack, databases);
      spread = { ...turns.spread, ...limits.spread };
      return { ...turns.figures, ...limits.figures };
    } finally {
      await Promise.all(contestants.map((one) => one.stop()));
      await databases.close();
    }
  });
  return { ...measured, spread, note: NOTE, peers: peerVersions() };
}

/** Every second round the other way round, so that nobody always follows the same one. */
async function interleaved(contestants: readonly Contestant[], databases: Databases): Promise<Found> {
  const commitsBefore = new Map<string, number>();
  for (const one of contestants) {
    const { database } = one;
    if (database && !commitsBefore.has(database))
      commitsBefore.set(database, await databases.commits(database));
    await one.run({ prefix: 'warm', turns: one.warmUpTurns, inFlight: IN_FLIGHT });
    // One alone goes other ways than one of many, which no compiler has seen yet.
    await one.run({ prefix: 'warm-alone', turns: ALONE_TURNS, inFlight: 1 });
  }
  const rounds: Figures[] = [];
  for (let n = 0; n < ROUNDS; n++) {
    rounds.push(await oneRound(n % 2 === 0 ? contestants : contestants.toReversed(), `round-${n}`));
  }
  const commits: Record<string, number> = {};
  for (const one of contestants) {
    await one.stop();
    const { database } = one;
    if (!database) continue;
    const committed = (await databases.commitsInAll(database)) - (commitsBefore.get(database) ?? 0);
    const turns = contestants
      .filter((other) => other.database === database)
      .reduce((sum, other) => sum + turnsOf(other), 0);
    Object.assign(commits, named(one.name, { commitsPerTurn: round(committed / turns) }));
  }
  return { figures: { ...mediansOf(rounds), ...commits }, spread: spreadOf(rounds) };
}

/**
 * All of them alone, then all at 64 in flight: the machine's pace changes within a minute, and by a half, so what is compared lies
 * close together, and is compared in each round by itself.
 */
async function oneRound(contestants: readonly Contestant[], name: string): Promise<Figures> {
  const alone = new Map<Contestant, LoadTaken>();
  for (const one of contestants) {
    alone.set(one, await one.run({ prefix: `${name}-alone`, turns: ALONE_TURNS, inFlight: 1 }));
  }
  const figures: Record<string, number> = {};
  for (const [one, taken] of alone) {
    const crowd = await one.run({ prefix: `${name}-crowd`, turns: one.crowdTurns, inFlight: IN_FLIGHT });
    Object.assign(figures, named(one.name, turnFigures(taken, crowd)));
  }
  return { ...figures, ...ratios(figures) };
}

function turnsOf({ warmUpTurns, crowdTurns }: Contestant): number {
  return warmUpTurns + ALONE_TURNS + ROUNDS * (ALONE_TURNS + crowdTurns);
}

async function measureLimits(stack: BenchStack, databases: Databases): Promise<Found> {
  const append = await plainAppendsPerSecond(await databases.create('limit-sql'));
  const nats = await startNatsLimits(path.join(stack.dataDir, 'limit-nats'));
  try {
    const rounds: Figures[] = [];
    for (let n = 0; n <= ROUNDS; n++) {
      const figures = { sqlEventsPerSecond: await append(LIMIT_SECONDS), ...(await nats.measure()) };
      if (n > 0) rounds.push(figures); // The first warms up.
    }
    return { figures: named('limit', mediansOf(rounds)), spread: named('limit', spreadOf(rounds)) };
  } finally {
    await nats.stop();
  }
}
