import { type StackProcess } from '@skein/stack';
import { GatewayClient, type ShownEvent } from '../../gateway-client';
import { type Figures, quantile, round } from '../../report';
import { scrape, total } from '../../scrape';
import { type BenchStack } from '../../with-stack';
import { PUT_TEXT } from '../turn';
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
 * commit to commit. The tool only reads, so its call leaves before that; in turns with it the hop of one that may change
 * something, and a request and its reply over core NATS, between two processes, of the same size. Beside
 * it the mean of what the runners waited for the answers of both: from the call, which may not be stored yet, until its result
 * is there, which is not.
 */
export async function measureHop({ url, processes }: BenchStack): Promise<Figures> {
  const client = new GatewayClient(url, 1);
  const echo = await startEcho();
  try {
    let turns = 0;
    const turn = (text?: string): Promise<number> =>
      hopMs(client, `hop-${Math.floor(turns++ / TURNS_PER_SESSION)}`, text);
    for (let n = 0; n < WARM_UP_TURNS / 2; n++) {
      await turn();
      await turn(PUT_TEXT);
    }
    const before = await answersTaken(processes());
    const hops: number[] = [];
    const putHops: number[] = [];
    const replies: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = 0; n < TURNS_PER_ROUND; n++) hops.push(await turn());
      for (let n = 0; n < TURNS_PER_ROUND; n++) putHops.push(await turn(PUT_TEXT));
      for (let n = 0; n < TURNS_PER_ROUND; n++) replies.push(await echo.roundTripMs());
    }
    const { count, seconds } = await answersTaken(processes());
    const p50 = quantile(hops, 0.5);
    return {
      toolHopP50Ms: p50,
      toolHopP99Ms: quantile(hops, 0.99),
      putHopP50Ms: quantile(putHops, 0.5),
      putHopP99Ms: quantile(putHops, 0.99),
      toolAnswerMeanMs: round((1_000 * (seconds - before.seconds)) / (count - before.count)),
      requestReplyP50Ms: quantile(replies, 0.5),
      toolHopVsRequestReply: round(p50 / quantile(replies, 0.5)),
    };
  } finally {
    client.close();
    await echo.stop();
  }
}

/** How many answers of tools the runners had, and how long they waited for all of them. */
async function answersTaken(processes: readonly StackProcess[]): Promise<{ count: number; seconds: number }> {
  const runners = processes.filter(({ app }) => app === 'runner');
  const shown = await Promise.all(runners.map(({ healthUrl }) => scrape(healthUrl)));
  const sum = (metric: string): number => shown.reduce((all, scraped) => all + total(scraped, metric), 0);
  return {
    count: sum('skein_tool_answer_duration_seconds_count'),
    seconds: sum('skein_tool_answer_duration_seconds_sum'),
  };
}

async function hopMs(client: GatewayClient, sessionId: string, text = 'What is 1 + 2?'): Promise<number> {
  return betweenMs(await client.shown({ sessionId, text }));
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
