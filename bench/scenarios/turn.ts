import { GatewayClient } from '../gateway-client';
import { type Figures, type Measured, quantile, round } from '../report';
import { mediansOf, spreadOf } from '../rounds';
import { type Load, type LoadTaken, runTurns } from '../run-turns';
import { measureOnStack } from '../with-stack';

/**
 * As many processes as the skeleton beside it has. Their limits leave room for all turns that are under way: by default a worker
 * takes 16 calls at once, and the others wait in the database until one ends.
 */
export const ONE_OF_EACH: NodeJS.ProcessEnv = {
  RUNNERS: '1',
  TOOL_WORKERS: '1',
  RUNNER_CONCURRENCY: '128',
  TOOL_CONCURRENCY: '128',
};
/** Until then a turn becomes cheaper: the compiler of each process still learns what is called often. */
export const WARM_UP_TURNS = 4_000;
export const IN_FLIGHT = 64;
export const TURN_NOTE =
  'One gateway, one session-svc, one runner, one tool worker, each a process, with room for 128 runs and calls (RUNNER_CONCURRENCY, TOOL_CONCURRENCY); PostgreSQL with fsync on, NATS and the client on the same machine. A turn is a message, a model call, a tool call, a model call and the answer, in sessions of 20 turns, of a scripted model that answers at once. The tool changes nothing, and says so (`readOnly`).';
/** Has the model call a tool that does not say so. */
export const PUT_TEXT = 'Put 1 + 2.';

const ROUNDS = 3;
const LATENCY_TURNS = 400;
/** 64 sessions of 20 turns, three times. */
const THROUGHPUT_TURNS = 3_840;

/** A one-tool turn, model call to final text, in sessions of 20 turns: its latency alone, its rate at 64 in flight. */
export async function measureTurn(): Promise<Measured> {
  const rounds: Figures[] = [];
  const measured = await measureOnStack(ONE_OF_EACH, async ({ url }) => {
    await runOver(url, { prefix: 'warm', turns: WARM_UP_TURNS, inFlight: IN_FLIGHT });
    await runOver(url, { prefix: 'warm-alone', turns: LATENCY_TURNS, inFlight: 1 });
    for (let n = 0; n < ROUNDS; n++) {
      const alone = await runOver(url, { prefix: `alone-${n}`, turns: LATENCY_TURNS, inFlight: 1 });
      const crowd = await runOver(url, {
        prefix: `crowd-${n}`,
        turns: THROUGHPUT_TURNS,
        inFlight: IN_FLIGHT,
      });
      rounds.push(turnFigures(alone, crowd));
    }
    return mediansOf(rounds);
  });
  return { ...measured, spread: spreadOf(rounds), note: `${TURN_NOTE} Medians of ${ROUNDS} rounds.` };
}

/** A load on a gateway, or on what answers as one. */
export async function runOver(url: string, load: Load): Promise<LoadTaken> {
  const client = new GatewayClient(url, load.inFlight);
  const taken = await runTurns((sessionId) => client.turn(sessionId, load.text), load);
  client.close();
  return taken;
}

/** What one turn at a time took, and many at a time. */
export function turnFigures(alone: LoadTaken, crowd: LoadTaken): Figures {
  return {
    p50Ms1: quantile(alone.samplesMs, 0.5),
    p99Ms1: quantile(alone.samplesMs, 0.99),
    turnsPerSecond64: perSecond(crowd),
    p50Ms64: quantile(crowd.samplesMs, 0.5),
    p99Ms64: quantile(crowd.samplesMs, 0.99),
  };
}

export function perSecond({ samplesMs, elapsedMs }: LoadTaken): number {
  return round(samplesMs.length / (elapsedMs / 1000));
}
