import { type BenchEvent, GatewayClient } from '../gateway-client';
import { type Figures, quantile, round } from '../report';

const WARM_UP_TURNS = 200;
const TURNS = 1_000;
const PAIRS = 30;

/**
 * The durable tool hop, one at a time: from the model's call event to the event that answers it, so storing the call,
 * two passes of a work queue and the tool's own run (an addition) are in it. And the same for two tools of 300 ms that
 * are called at once.
 */
export async function measureTools(url: string): Promise<Figures> {
  const client = new GatewayClient(url, 1);
  for (let turn = 0; turn < WARM_UP_TURNS; turn++) await client.turn(`warm-${turn % 10}`);
  const samplesMs: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) samplesMs.push(toolHopMs(await client.turn(`hop-${turn % 50}`)));
  const togetherMs: number[] = [];
  for (let turn = 0; turn < PAIRS; turn++) {
    togetherMs.push(toolHopMs(await client.turn(`pair-${turn}`, 'Call two slow tools.')));
  }
  client.close();
  const mean = samplesMs.reduce((sum, sample) => sum + sample, 0) / samplesMs.length;
  return {
    toolHopP50Ms: quantile(samplesMs, 0.5),
    toolHopP99Ms: quantile(samplesMs, 0.99),
    toolHopMeanMs: round(mean),
    twoTools300P50Ms: quantile(togetherMs, 0.5),
    twoTools300P99Ms: quantile(togetherMs, 0.99),
  };
}

function toolHopMs(events: readonly BenchEvent[]): number {
  const call = events.find((event) => event.content?.parts?.some((part) => part.functionCall));
  const response = events.find((event) => event.content?.parts?.some((part) => part.functionResponse));
  if (!call || !response) throw new Error(`a turn without its tool call: ${JSON.stringify(events)}`);
  return (response.timestamp - call.timestamp) * 1000;
}
