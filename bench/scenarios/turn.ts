import { GatewayClient } from '../gateway-client';
import { type Figures, quantile, round } from '../report';
import { type Load, type LoadTaken, runTurns } from '../run-turns';

const WARM_UP_TURNS = 400;
const LATENCY_TURNS = 400;
const THROUGHPUT_TURNS = 6_000;
const IN_FLIGHT = 64;

/** A one-tool turn, model call to final text, in sessions of 20 turns: its latency alone, its rate at 64 in flight. */
export async function measureTurn(url: string): Promise<Figures> {
  await runOver(url, { prefix: 'warm', turns: WARM_UP_TURNS, inFlight: IN_FLIGHT });
  const alone = await runOver(url, { prefix: 'alone', turns: LATENCY_TURNS, inFlight: 1 });
  const crowd = await runOver(url, { prefix: 'crowd', turns: THROUGHPUT_TURNS, inFlight: IN_FLIGHT });
  return turnFigures(alone, crowd);
}

/** A load on a gateway, or on what answers as one. */
export async function runOver(url: string, load: Load): Promise<LoadTaken> {
  const client = new GatewayClient(url, load.inFlight);
  const taken = await runTurns((sessionId) => client.turn(sessionId), load);
  client.close();
  return taken;
}

/** What one turn at a time took, and many at a time. */
export function turnFigures(alone: LoadTaken, crowd: LoadTaken): Figures {
  return {
    p50Ms1: quantile(alone.samplesMs, 0.5),
    p99Ms1: quantile(alone.samplesMs, 0.99),
    turnsPerSecond64: round(crowd.samplesMs.length / (crowd.elapsedMs / 1000)),
    p50Ms64: quantile(crowd.samplesMs, 0.5),
    p99Ms64: quantile(crowd.samplesMs, 0.99),
  };
}
