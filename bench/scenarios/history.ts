import { GatewayClient } from '../gateway-client';
import { type Figures, quantile, round } from '../report';

/** A turn of the bench agent: what was said, the call, the response, the answer. */
const EVENTS_PER_TURN = 4;
const AGES = [10, 1_000, 10_000];
const WARM_UP_TURNS = 2_000;
const ROUNDS = 30;
const TURNS_PER_ROUND = 3;

/**
 * Whether a turn costs more in an old session than in a young one: one at a time, in sessions of 10, 1,000 and 10,000
 * events, in turns. The turns that are measured make a session older, so it begins as much younger as it ends older; the
 * young one is another in each round.
 */
export async function measureHistory(url: string): Promise<Figures> {
  const client = new GatewayClient(url, 1);
  for (let turn = 0; turn < WARM_UP_TURNS; turn++) await client.turn(`warm-${Math.floor(turn / 20)}`);
  for (const events of AGES.slice(1)) await age(client, `aged-${events}`, events - growth(ROUNDS) / 2);

  const samples = new Map<number, number[]>(AGES.map((events) => [events, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [events, samplesMs] of samples) {
      const isYoung = events === AGES[0];
      const session = isYoung ? `young-${round}` : `aged-${events}`;
      if (isYoung) await age(client, session, events - growth(1) / 2);
      for (let turn = 0; turn < TURNS_PER_ROUND; turn++) {
        const sentAtMs = performance.now();
        await client.turn(session);
        samplesMs.push(performance.now() - sentAtMs);
      }
    }
  }
  client.close();
  const p50 = (events: number): number => quantile(samples.get(events) ?? [], 0.5);
  return {
    p50Ms10: p50(10),
    p50Ms1000: p50(1_000),
    p50Ms10000: p50(10_000),
    p50Ratio1000: round(p50(1_000) / p50(10)),
    p50Ratio10000: round(p50(10_000) / p50(10)),
  };
}

/** By how many events the turns of so many rounds make a session older. */
function growth(rounds: number): number {
  return rounds * TURNS_PER_ROUND * EVENTS_PER_TURN;
}

async function age(client: GatewayClient, sessionId: string, events: number): Promise<void> {
  for (let stored = 0; stored < events; stored += EVENTS_PER_TURN) await client.turn(sessionId);
}
