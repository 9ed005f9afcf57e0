import { GatewayClient } from '../../gateway-client';
import { type Figures, round } from '../../report';
import { measureOnStack } from '../../with-stack';
import { betweenMs } from './hop';

const WORKERS = [1, 2, 4, 8];
/** Calls one worker runs at a time: 100 ms each, so one worker ends 40 a second. */
const CONCURRENCY = 4;
const CALLS_PER_TURN = 16;
const SECONDS = 10;

/** Calls a second of a tool that waits 100 ms for something else, with 1, 2, 4 and 8 workers that each run 4 at a time. */
export async function measureScaling(): Promise<Figures> {
  const rates = new Map<number, number>();
  for (const workers of WORKERS) {
    const env = { TOOL_WORKERS: String(workers), TOOL_CONCURRENCY: String(CONCURRENCY) };
    const { figures } = await measureOnStack(env, async ({ url }) => ({
      callsPerSecond: await callsPerSecond(url, workers),
    }));
    rates.set(workers, figures.callsPerSecond ?? NaN);
  }
  const one = rates.get(1) ?? NaN;
  const figures: Record<string, number> = {};
  for (const [workers, rate] of rates) {
    figures[`callsPerSecond${workers}`] = round(rate);
    if (workers > 1) figures[`scalingEfficiency${workers}`] = round(rate / (workers * one));
  }
  return figures;
}

/** Twice as many calls are under way as the workers can run, so that none of them waits for work. */
async function callsPerSecond(url: string, workers: number): Promise<number> {
  const turnsAtOnce = Math.ceil((2 * workers * CONCURRENCY) / CALLS_PER_TURN) + 1;
  const client = new GatewayClient(url, turnsAtOnce);
  const turn = async (session: number): Promise<void> => {
    betweenMs(
      await client.shown({ sessionId: `scaling-${session}`, text: `Call io ${CALLS_PER_TURN} times.` }),
    );
  };
  await Promise.all(Array.from({ length: turnsAtOnce }, (_none, session) => turn(session)));
  let calls = 0;
  const begunAtMs = performance.now();
  const endsAtMs = begunAtMs + SECONDS * 1_000;
  await Promise.all(
    Array.from({ length: turnsAtOnce }, async (_none, session) => {
      while (performance.now() < endsAtMs) {
        await turn(session);
        calls += CALLS_PER_TURN;
      }
    }),
  );
  const seconds = (performance.now() - begunAtMs) / 1_000;
  client.close();
  return calls / seconds;
}
