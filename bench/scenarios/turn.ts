import { GatewayClient } from '../gateway-client';
import { type Figures, quantile, round } from '../report';

const TURNS_PER_SESSION = 20;
const WARM_UP_TURNS = 400;
const LATENCY_TURNS = 400;
const THROUGHPUT_TURNS = 6_000;
const IN_FLIGHT = 64;

/** A one-tool turn, model call to final text, in sessions of 20 turns: its latency alone, its rate at 64 in flight. */
export async function measureTurn(url: string): Promise<Figures> {
  await runTurns(url, { prefix: 'warm', turns: WARM_UP_TURNS, inFlight: IN_FLIGHT });
  const alone = await runTurns(url, { prefix: 'alone', turns: LATENCY_TURNS, inFlight: 1 });
  const crowd = await runTurns(url, { prefix: 'crowd', turns: THROUGHPUT_TURNS, inFlight: IN_FLIGHT });
  return {
    p50Ms1: quantile(alone.samplesMs, 0.5),
    p99Ms1: quantile(alone.samplesMs, 0.99),
    turnsPerSecond64: round(THROUGHPUT_TURNS / (crowd.elapsedMs / 1000)),
    p50Ms64: quantile(crowd.samplesMs, 0.5),
    p99Ms64: quantile(crowd.samplesMs, 0.99),
  };
}

interface Load {
  readonly prefix: string;
  readonly turns: number;
  readonly inFlight: number;
}

async function runTurns(url: string, load: Load): Promise<{ samplesMs: number[]; elapsedMs: number }> {
  const client = new GatewayClient(url, load.inFlight);
  const samplesMs: number[] = [];
  const sessions = Array.from(
    { length: load.turns / TURNS_PER_SESSION },
    (_none, index) => `${load.prefix}-${index}`,
  );
  const begun = performance.now();
  const drive = async (): Promise<void> => {
    for (let session = sessions.pop(); session !== undefined; session = sessions.pop()) {
      for (let turn = 0; turn < TURNS_PER_SESSION; turn++) {
        const sent = performance.now();
        await client.turn(session);
        samplesMs.push(performance.now() - sent);
      }
    }
  };
  await Promise.all(Array.from({ length: load.inFlight }, drive));
  client.close();
  return { samplesMs, elapsedMs: performance.now() - begun };
}
