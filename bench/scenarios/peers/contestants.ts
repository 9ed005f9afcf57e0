import path from 'node:path';
import type { Databases } from '../../commits';
import { startSkeleton } from '../../limits/turn-skeleton';
import { type PeerName, PeerProcess } from '../../peer-process';
import type { Load, LoadTaken } from '../../run-turns';
import type { BenchStack } from '../../with-stack';
import { IN_FLIGHT, PUT_TEXT, runOver, WARM_UP_TURNS } from '../turn';

/** 20 turns of each session in flight: each has one from its beginning to its end. */
const CROWD = 20 * IN_FLIGHT;

/** Of these Postgres has nothing to count. */
const STORES_ELSEWHERE: ReadonlySet<PeerName> = new Set(['restate', 'google-adk-in-memory']);

export interface Contestant {
  /** Begins the names of its figures; ours begin with nothing. */
  readonly name: string;
  /** Before the first round: thousands, or for the slow as many as they do in some ten seconds. */
  readonly warmUpTurns: number;
  /** Of a round; the slow have fewer, as a round is to take each of them some seconds. */
  readonly crowdTurns: number;
  /** Where it commits; none where it has a store of its own. */
  readonly database: string | undefined;
  run(load: Load): Promise<LoadTaken>;
  stop(): Promise<void>;
}

/** What starts each, in the order of the first round. */
export function starters(stack: BenchStack, databases: Databases): readonly (() => Promise<Contestant>)[] {
  const peer = (name: string, peerName: PeerName, turns: Turns) => (): Promise<Contestant> =>
    startPeer({ name, peerName, turns }, stack, databases);
  return [
    async () => overHttp('', stack.url, databases.ours),
    async () => {
      const run = (load: Load): Promise<LoadTaken> =>
        runOver(stack.url, { ...load, prefix: `put-${load.prefix}`, text: PUT_TEXT });
      return { ...overHttp('put', stack.url, databases.ours), run };
    },
    peer('restate', 'restate', { warmUpTurns: WARM_UP_TURNS, crowdTurns: 2 * CROWD }),
    peer('dbos', 'dbos', { warmUpTurns: 2 * CROWD, crowdTurns: CROWD }),
    peer('adkJs', 'google-adk', { warmUpTurns: CROWD / 2, crowdTurns: CROWD / 2 }),
    peer('adkJsInMemory', 'google-adk-in-memory', { warmUpTurns: WARM_UP_TURNS, crowdTurns: 2 * CROWD }),
    async () => {
      const database = 'limit-skeleton';
      const dataDir = path.join(stack.dataDir, database);
      const { url, stop } = await startSkeleton(await databases.create(database), dataDir);
      return overHttp('skeleton', url, database, stop);
    },
  ];
}

type Turns = Pick<Contestant, 'warmUpTurns' | 'crowdTurns'>;

interface PeerPlan {
  readonly name: string;
  readonly peerName: PeerName;
  readonly turns: Turns;
}

async function startPeer(
  { name, peerName, turns }: PeerPlan,
  stack: BenchStack,
  databases: Databases,
): Promise<Contestant> {
  const database = `peer-${peerName}`;
  const url = await databases.create(database);
  const process = await PeerProcess.start(peerName, url, path.join(stack.dataDir, database));
  return {
    name,
    ...turns,
    database: STORES_ELSEWHERE.has(peerName) ? undefined : database,
    run: (load) => process.run(load),
    stop: () => process.stop(),
  };
}

function overHttp(
  name: string,
  url: string,
  database: string,
  stop: () => Promise<void> = async () => undefined,
): Contestant {
  const run = (load: Load): Promise<LoadTaken> => runOver(url, load);
  return { name, warmUpTurns: WARM_UP_TURNS, crowdTurns: 3 * CROWD, database, run, stop };
}
