import { GatewayClient, type ShownEvent } from '../../gateway-client';
import { type Figures, quantile, round } from '../../report';
import { startEcho } from './echo';

/** Until the optimising compilers of two runners and two workers have seen all they will: later rounds are no faster. */
const WARM_UP_TURNS = 4_000;
const ROUNDS = 10;
const TURNS_PER_ROUND = 100;
/** What is measured is a hop, not the length of a history. */
const TURNS_PER_SESSION = 20;

/**
 * The durable tool hop, one at a time: from the frame of the model's call event to the frame of the event that answers
 * it. Both are sent after their events are committed and come the same way, so the time between them is that from
 * commit to commit. In turns with it a request and its reply over core NATS, between two processes, of the same size.
 */
export async function measureHop(url: string): Promise<Figures> {
  const client = new GatewayClient(url, 1);
  const echo = await startEcho();
  try {
    let turns = 0;
    const turn = (): Promise<number> => hopMs(client, `hop-${Math.floor(turns++ / TURNS_PER_SESSION)}`);
    for (let n = 0; n < WARM_UP_TURNS; n++) await turn();
    const hops: number[] = [];
    const replies: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = 0; n < TURNS_PER_ROUND; n++) hops.push(await turn());
      for (let n = 0; n < TURNS_PER_ROUND; n++) replies.push(await echo.roundTripMs());
    }
    const p50 = quantile(hops, 0.5);
    return {
      toolHopP50Ms: p50,
      toolHopP99Ms: quantile(hops, 0.99),
      requestReplyP50Ms: quantile(replies, 0.5),
      toolHopVsRequestReply: round(p50 / quantile(replies, 0.5)),
    };
  } finally {
    client.close();
    await echo.stop();
  }
}

async function hopMs(client: GatewayClient, sessionId: string): Promise<number> {
  return betweenMs(await client.shown({ sessionId, text: 'What is 1 + 2?' }));
}

/** From the call of a tool to its response, as the client saw them. */
export function betweenMs(shown: readonly ShownEvent[]): number {
  const call = shown.find(({ event }) => event.content?.parts?.some((part) => part.functionCall));
  const response = shown.find(
    ({ event }) => event.partial !== true && event.content?.parts?.some((part) => part.functionResponse),
  );
  if (!call || !response) throw new Error(`a turn without its tool call: ${JSON.stringify(shown)}`);
  return response.atMs - call.atMs;
}
