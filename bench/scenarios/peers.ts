import path from 'node:path';
import { Databases } from '../commits';
import { startNatsLimits } from '../limits/nats';
import { plainAppendsPerSecond } from '../limits/sql-appends';
import { startSkeleton } from '../limits/turn-skeleton';
import { installPeers, type PeerName, PeerProcess } from '../peer-process';
import { type Figures, type Measured, quantile, round } from '../report';
import type { Load, LoadTaken } from '../run-turns';
import { type BenchStack, measureOnStack } from '../with-stack';
import { runOver, turnFigures } from './turn';

const ROUNDS = 5;
const ALONE_TURNS = 400;
const IN_FLIGHT = 64;
/** 64 sessions of 20 turns: each of those in flight has one from its beginning to its end. */
const CROWD = 1_280;

/** Of these Postgres has nothing to count. */
const STORES_ELSEWHERE: ReadonlySet<PeerName> = new Set(['restate', 'google-adk-in-memory']);

interface Contestant {
  readonly name: string;
  /** Of a round; the slow have fewer, as a round is to take each of them some seconds. */
  readonly crowdTurns: number;
  /** Where it commits; none where it has a store of its own. */
  readonly database: string | undefined;
  run(load: Load): Promise<LoadTaken>;
  stop(): Promise<void>;
}

interface Rounds {
  readonly alone: LoadTaken[];
  readonly crowd: LoadTaken[];
}

/**
 * The turn of `bench turn`, ours and the peers', all on this machine and in turns, so that what the machine does in a
 * minute happens to all of them; beside them the bare hops of our design, and what Postgres and NATS take by themselves.
 */
export function measurePeers(): Promise<Measured> {
  installPeers();
  return measureOnStack({}, async (stack) => {
    const databases = new Databases(stack.databaseUrl);
    await databases.connect();
    const contestants: Contestant[] = [];
    try {
      for (const start of starters(stack, databases)) contestants.push(await start());
      const figures = await interleaved(contestants, databases);
      return { ...figures, ...(await measureLimits(stack, databases)) };
    } finally {
      await Promise.all(contestants.map((one) => one.stop()));
      await databases.close();
    }
  });
}

function starters(stack: BenchStack, databases: Databases): (() => Promise<Contestant>)[] {
  const peer = (label: string, name: PeerName, crowdTurns: number) => async (): Promise<Contestant> => {
    const database = `peer-${name}`;
    const process = await PeerProcess.start(
      name,
      await databases.create(database),
      path.join(stack.dataDir, database),
    );
    const { run, stop } = { run: process.run.bind(process), stop: process.stop.bind(process) };
    return {
      name: label,
      crowdTurns,
      database: STORES_ELSEWHERE.has(name) ? undefined : database,
      run,
      stop,
    };
  };
  return [
    async () => overHttp('', stack.url, databases.ours),
    peer('restate', 'restate', 2 * CROWD),
    peer('dbos', 'dbos', CROWD),
    peer('adkJs', 'google-adk', CROWD / 2),
    peer('adkJsInMemory', 'google-adk-in-memory', 2 * CROWD),
    async () => {
      const database = 'limit-skeleton';
      const dataDir = path.join(stack.dataDir, database);
      const { url, stop } = await startSkeleton(await databases.create(database), dataDir);
      return overHttp('skeleton', url, database, stop);
    },
  ];
}

function overHttp(
  name: string,
  url: string,
  database: string,
  stop: () => Promise<void> = async () => undefined,
): Contestant {
  const run = (load: Load): Promise<LoadTaken> => runOver(url, load);
  return { name, crowdTurns: 4 * CROWD, database, run, stop };
}

/** Every second round the other way round, so that nobody always follows the same one. */
async function interleaved(contestants: readonly Contestant[], databases: Databases): Promise<Figures> {
  const taken = new Map<Contestant, Rounds>();
  const commitsBefore = new Map<Contestant, number>();
  for (const one of contestants) {
    taken.set(one, { alone: [], crowd: [] });
    if (one.database) commitsBefore.set(one, await databases.commits(one.database));
    await oneRound(one, 'warm');
  }
  for (let n = 0; n < ROUNDS; n++) {
    for (const one of n % 2 === 0 ? contestants : contestants.toReversed()) {
      const { alone, crowd } = await oneRound(one, `round-${n}`);
      taken.get(one)?.alone.push(alone);
      taken.get(one)?.crowd.push(crowd);
    }
  }
  const figures: Record<string, number> = {};
  for (const [one, rounds] of taken) {
    Object.assign(figures, named(one.name, roundFigures(rounds)));
    await one.stop();
    if (!one.database) continue;
    const commits = (await databases.commitsInAll(one.database)) - (commitsBefore.get(one) ?? 0);
    const turns = (ROUNDS + 1) * (ALONE_TURNS + one.crowdTurns);
    Object.assign(figures, named(one.name, { commitsPerTurn: round(commits / turns) }));
  }
  return { ...figures, ...ratios(figures) };
}

async function oneRound(one: Contestant, name: string): Promise<{ alone: LoadTaken; crowd: LoadTaken }> {
  const alone = await one.run({ prefix: `${name}-alone`, turns: ALONE_TURNS, inFlight: 1 });
  const crowd = await one.run({ prefix: `${name}-crowd`, turns: one.crowdTurns, inFlight: IN_FLIGHT });
  return { alone, crowd };
}

function roundFigures({ alone, crowd }: Rounds): Figures {
  return medians(alone.map((one, n) => turnFigures(one, crowd[n] ?? { samplesMs: [], elapsedMs: NaN })));
}

/** Of each figure the median of the rounds. */
function medians(rounds: readonly Figures[]): Figures {
  const median = (name: string): number =>
    quantile(
      rounds.map((figures) => figures[name] ?? NaN),
      0.5,
    );
  return Object.fromEntries(Object.keys(rounds[0] ?? {}).map((name) => [name, median(name)]));
}

/** `p50Ms1` of Restate is `restateP50Ms1`; ours keep their names. */
function named(prefix: string, figures: Figures): Figures {
  if (prefix === '') return figures;
  const name = (figure: string): string => prefix + figure.charAt(0).toUpperCase() + figure.slice(1);
  return Object.fromEntries(Object.entries(figures).map(([figure, value]) => [name(figure), value]));
}

/** Ours / theirs. */
function ratios(figures: Figures): Figures {
  const others = {
    Restate: 'restate',
    Dbos: 'dbos',
    AdkJs: 'adkJs',
    AdkJsInMemory: 'adkJsInMemory',
    Skeleton: 'skeleton',
  };
  const over = (ours: string, theirs: string): number =>
    round((figures[ours] ?? NaN) / (figures[theirs] ?? NaN));
  return Object.fromEntries(
    Object.entries(others).flatMap(([label, name]) => [
      [`throughputVs${label}`, over('turnsPerSecond64', `${name}TurnsPerSecond64`)],
      [`p50Vs${label}`, over('p50Ms1', `${name}P50Ms1`)],
    ]),
  );
}

async function measureLimits(stack: BenchStack, databases: Databases): Promise<Figures> {
  const append = await plainAppendsPerSecond(await databases.create('limit-sql'));
  const nats = await startNatsLimits(path.join(stack.dataDir, 'limit-nats'));
  try {
    const rounds: Figures[] = [];
    for (let n = 0; n <= ROUNDS; n++) {
      const figures = { sqlEventsPerSecond: await append(), ...(await nats.measure()) };
      if (n > 0) rounds.push(figures); // The first warms up.
    }
    return named('limit', medians(rounds));
  } finally {
    await nats.stop();
  }
}
