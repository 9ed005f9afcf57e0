import { setTimeout as pause } from 'node:timers/promises';
import { GatewayClient, Refused } from '../gateway-client';
import { type Figures, type Measured, quantile, round } from '../report';
import { scrape, total } from '../scrape';
import { until } from '../until';
import { type BenchStack, measureOnStack } from '../with-stack';
import { runOver, WARM_UP_TURNS } from './turn';
import { wakeAll } from './waking/wake-all';

const SESSIONS = 10_000;
/** Requests at a time. */
const ACCEPTING = 256;
const SAMPLES = 300;
const SAMPLES_PER_SESSION = 20;
const NOTE = `${SESSIONS} sessions are each sent a one-tool turn by a client that leaves as soon as it is accepted, as a cron job does, ${ACCEPTING} at a time; beside them another user takes turns one at a time until all of the ${SESSIONS} have ended. Whoever is refused comes again when the answer says, with the same Idempotency-Key, and has waited meanwhile. With the processes of npm start: two runners, two tool workers.`;

/** Row 44: what somebody who waits for an answer notices of 10,000 sessions that wake at once. */
export async function measureWaking(): Promise<Measured> {
  const measured = await measureOnStack({}, async (stack) => {
    await runOver(stack.url, { prefix: 'warm', turns: WARM_UP_TURNS, inFlight: 64 });
    const client = new GatewayClient(stack.url, 1);
    const alone: number[] = [];
    while (alone.length < SAMPLES) alone.push(await interactiveMs(client, 'alone', alone.length));
    const storm = await besideStorm(stack, client);
    client.close();
    return figuresOf(alone, storm);
  });
  return { ...measured, note: NOTE };
}

interface Storm {
  readonly besideMs: readonly number[];
  readonly acceptedSeconds: number;
  /** Requests of those that woke that were answered 429 or 503. */
  readonly refused: number;
  readonly endedSeconds: number;
  readonly mostQueued: number;
}

async function besideStorm(stack: BenchStack, client: GatewayClient): Promise<Storm> {
  const begunAtMs = performance.now();
  const secondsSince = (): number => round((performance.now() - begunAtMs) / 1_000);
  const over = new AbortController();
  let mostQueued = 0;
  const accepted = wakeAll(stack.url, SESSIONS, ACCEPTING).then((refused) => ({
    refused,
    acceptedSeconds: secondsSince(),
  }));
  const ended = accepted
    .then(async () => {
      const isIdle = async (): Promise<boolean> => {
        const { queued, running } = await waitingIn(stack);
        mostQueued = Math.max(mostQueued, queued);
        // One of those that run may be the interactive one.
        return queued === 0 && running <= 1;
      };
      await until('the sessions that woke to end', isIdle, 600_000, 250);
      return secondsSince();
    })
    .finally(() => over.abort());
  ended.catch(() => undefined); // Told of below.
  const besideMs: number[] = [];
  while (!over.signal.aborted) besideMs.push(await interactiveMs(client, 'beside', besideMs.length));
  return { besideMs, ...(await accepted), endedSeconds: await ended, mostQueued };
}

function figuresOf(alone: readonly number[], storm: Storm): Figures {
  const { besideMs, acceptedSeconds, refused, endedSeconds, mostQueued } = storm;
  const [aloneP99Ms, besideP99Ms] = [quantile(alone, 0.99), quantile(besideMs, 0.99)];
  return {
    aloneP50Ms: quantile(alone, 0.5),
    aloneP99Ms,
    besideP50Ms: quantile(besideMs, 0.5),
    besideP99Ms,
    besideWorstMs: quantile(besideMs, 1),
    besideTurns: besideMs.length,
    p99Ratio: round(besideP99Ms / aloneP99Ms),
    acceptedSeconds,
    refused,
    endedSeconds,
    turnsPerSecond: round(SESSIONS / endedSeconds),
    mostQueued,
  };
}

/** A refusal is a wait like another to whoever sits before it. */
async function interactiveMs(client: GatewayClient, name: string, sample: number): Promise<number> {
  const sentAtMs = performance.now();
  for (;;) {
    try {
      await client.turn(`${name}-${Math.floor(sample / SAMPLES_PER_SESSION)}`);
      return performance.now() - sentAtMs;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await pause(error.retryAfterMs);
    }
  }
}

async function waitingIn({ processes }: BenchStack): Promise<{ queued: number; running: number }> {
  const service = processes().find(({ app }) => app === 'session-svc');
  const scraped = await scrape(service?.healthUrl);
  return {
    queued: total(scraped, 'skein_invocations_queued'),
    running: total(scraped, 'skein_invocations_running'),
  };
}
