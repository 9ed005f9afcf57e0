import { GatewayClient, type ShownEvent } from '../gateway-client';
import { type Figures, type Measured, quantile } from '../report';
import { mediansOf, spreadOf } from '../rounds';
import { measureOnStack } from '../with-stack';

const WARM_UP_TURNS = 1_000;
const TURNS = 400;
const TURNS_PER_SESSION = 20;
const STREAMS = 200;
const SECONDS = 20;
const ROUNDS = 3;
const TOKEN_EVERY_MS = 20;

/**
 * What lies between a model and whoever reads it: from a message to the first token of a model that answers at once, one
 * at a time; and how late the tokens of 200 models come that say 50 a second each, by the clock of the model.
 */
export async function measureStream(): Promise<Measured> {
  const rounds: Figures[] = [];
  const measured = await measureOnStack({ RUNNER_CONCURRENCY: '400' }, async ({ url }) => {
    await firstTokensMs(url, 'warm', WARM_UP_TURNS);
    for (let n = 0; n < ROUNDS; n++)
      rounds.push({ ...(await measureFirstToken(url, n)), ...(await measureLag(url, n)) });
    return mediansOf(rounds);
  });
  return { ...measured, spread: spreadOf(rounds), note: `Medians of ${ROUNDS} rounds.` };
}

async function measureFirstToken(url: string, round: number): Promise<Figures> {
  const samplesMs = await firstTokensMs(url, `first-${round}`, TURNS);
  return {
    firstTokenOverheadP50Ms: quantile(samplesMs, 0.5),
    firstTokenOverheadP99Ms: quantile(samplesMs, 0.99),
  };
}

/** Of turns one after another, how long each waited for its first token. */
async function firstTokensMs(url: string, prefix: string, turns: number): Promise<number[]> {
  const client = new GatewayClient(url, 1);
  const samplesMs: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const sessionId = `${prefix}-${Math.floor(turn / TURNS_PER_SESSION)}`;
    const asked = { appName: 'ticker', sessionId, text: 'Stream 3 tokens, one in 0 ms.' };
    const sentAtMs = performance.now();
    const shown = await client.shown(asked, { streaming: true });
    const first = shown.find(isToken);
    if (!first) throw new Error('no token came');
    samplesMs.push(first.atMs - sentAtMs);
  }
  client.close();
  return samplesMs;
}

async function measureLag(url: string, round: number): Promise<Figures> {
  const client = new GatewayClient(url, STREAMS);
  const lags = await Promise.all(
    Array.from({ length: STREAMS }, (_none, stream) => lagsOf(client, `lag-${round}-${stream}`)),
  );
  client.close();
  return {
    lagP50Ms200: quantile(lags.flat(), 0.5),
    lagP99Ms200: quantile(lags.flat(), 0.99),
    worstStreamLagP99Ms200: Math.max(...lags.map((one) => quantile(one, 0.99))),
  };
}

/** How late each token of one stream came; throws when one is missing. */
async function lagsOf(client: GatewayClient, sessionId: string): Promise<number[]> {
  const tokens = (SECONDS * 1_000) / TOKEN_EVERY_MS;
  const text = `Stream ${tokens} tokens, one in ${TOKEN_EVERY_MS} ms.`;
  const lagsMs: number[] = [];
  const onShown = (one: ShownEvent): void => {
    if (!isToken(one)) return;
    const nowMs = Date.now();
    // Several tokens may come as one.
    for (const dueAtMs of textOf(one).trim().split(' ')) lagsMs.push(nowMs - Number(dueAtMs));
  };
  await client.shown({ appName: 'ticker', sessionId, text }, { streaming: true, onShown });
  if (lagsMs.length !== tokens) throw new Error(`${lagsMs.length} tokens of ${tokens} came`);
  return lagsMs;
}

function isToken({ event }: ShownEvent): boolean {
  return event.partial === true && event.content?.parts?.[0]?.text !== undefined;
}

function textOf({ event }: ShownEvent): string {
  return event.content?.parts?.[0]?.text ?? '';
}
