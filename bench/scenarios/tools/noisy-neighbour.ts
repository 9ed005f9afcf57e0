import { setTimeout as delay } from 'node:timers/promises';
import { GatewayClient, type ShownEvent } from '../../gateway-client';
import { type Figures, quantile, round } from '../../report';
import { mediansOf } from '../../rounds';
import { measureOnStack } from '../../with-stack';
import { betweenMs } from './hop';

const NOISY_TURNS = 320;
const CALLS_PER_TURN = 32;
const ROUNDS = 3;
const QUIET_TURNS = 120;
const PAUSE_MS = 20;
const env = { TOOL_WORKERS: '2', TOOL_CONCURRENCY: '8', RUNNER_CONCURRENCY: '400' };

/**
 * What a user who calls one tool at a time waits for it (a tool of 100 ms), alone, and while another user has 10,240
 * calls of it open in the same pool, which two workers run 16 at a time. Medians of three rounds of each: the p99 of one
 * round is its second worst call, which any pause of the machine makes.
 */
export async function measureNoisyNeighbour(): Promise<Figures> {
  const { figures } = await measureOnStack(env, async ({ url }) => {
    const quiet = new GatewayClient(url, 1);
    const noisy = new GatewayClient(url, NOISY_TURNS);
    const alone = await quietRoundsMs(quiet, 'alone');
    const beside = await besideNoiseMs(quiet, startNoise(noisy));
    quiet.close();
    noisy.close();
    const medians = mediansOf(alone.map((each, n) => figuresOf(each, beside[n] ?? [])));
    const { quietAloneP99Ms = NaN, quietBesideP99Ms = NaN } = medians;
    return { ...medians, noisyNeighbourRatio: round(quietBesideP99Ms / quietAloneP99Ms) };
  });
  return figures;
}

function figuresOf(aloneMs: readonly number[], besideMs: readonly number[]): Figures {
  return {
    quietAloneP50Ms: quantile(aloneMs, 0.5),
    quietAloneP99Ms: quantile(aloneMs, 0.99),
    quietBesideP50Ms: quantile(besideMs, 0.5),
    quietBesideP99Ms: quantile(besideMs, 0.99),
  };
}

interface Noise {
  /** Resolves when every call of it is stored, and most of them wait. */
  readonly isThere: Promise<unknown>;
  readonly isOver: Promise<unknown>;
}

function startNoise(client: GatewayClient): Noise {
  const turns = Array.from({ length: NOISY_TURNS }, (_none, session) => {
    const text = `Call io ${CALLS_PER_TURN} times.`;
    const asked = { userId: 'noisy', sessionId: `noisy-${session}`, text };
    let called: () => void = () => undefined;
    const isCalled = new Promise<void>((resolve) => (called = resolve));
    // The event of the calls is shown once they are stored.
    const onShown = ({ event }: ShownEvent): void => {
      if (event.content?.parts?.some((part) => part.functionCall)) called();
    };
    return { isCalled, isOver: client.shown(asked, { onShown }) };
  });
  const isOver = Promise.all(turns.map((turn) => turn.isOver));
  return { isThere: Promise.race([isOver, Promise.all(turns.map((turn) => turn.isCalled))]), isOver };
}

/** All of it is measured while there is noise, or it is no figure. */
async function besideNoiseMs(quiet: GatewayClient, { isThere, isOver }: Noise): Promise<number[][]> {
  const noiseEndedAtMs = isOver.then(() => performance.now());
  noiseEndedAtMs.catch(() => undefined); // Told of below.
  await isThere;
  const beside = await quietRoundsMs(quiet, 'beside');
  const besideEndedAtMs = performance.now();
  if ((await noiseEndedAtMs) < besideEndedAtMs)
    throw new Error('the noise was over before what stood beside it');
  return beside;
}

async function quietRoundsMs(client: GatewayClient, name: string): Promise<number[][]> {
  const rounds: number[][] = [];
  for (let n = 0; n < ROUNDS; n++) rounds.push(await quietCallsMs(client, name));
  return rounds;
}

async function quietCallsMs(client: GatewayClient, name: string): Promise<number[]> {
  const callsMs: number[] = [];
  for (let turn = 0; turn < QUIET_TURNS; turn++) {
    const asked = { userId: 'quiet', sessionId: `${name}-${turn % 10}`, text: 'Call io 1 times.' };
    callsMs.push(betweenMs(await client.shown(asked)));
    await delay(PAUSE_MS);
  }
  return callsMs;
}
