import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { GatewayClient } from '../gateway-client';
import { type Figures, type Measured, quantile, round } from '../report';
import { scrape, total } from '../scrape';
import { until } from '../until';
import { type BenchStack, measureOnStack } from '../with-stack';
import { runOver, WARM_UP_TURNS } from './turn';

const SESSIONS = 10_000;
/** At a time; each is accepted before the next one goes over its connection. */
const ACCEPTING = 256;
const SAMPLES = 300;
const SAMPLES_PER_SESSION = 20;
const NOTE = `${SESSIONS} sessions are each sent a one-tool turn by a client that leaves as soon as it is accepted, as a cron job does, ${ACCEPTING} at a time; beside them another user takes turns one at a time until all of the ${SESSIONS} have ended. With the processes of npm start: two runners, two tool workers.`;

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
  readonly endedSeconds: number;
  readonly mostQueued: number;
}

async function besideStorm(stack: BenchStack, client: GatewayClient): Promise<Storm> {
  const begunAtMs = performance.now();
  const secondsSince = (): number => round((performance.now() - begunAtMs) / 1_000);
  const over = new AbortController();
  let mostQueued = 0;
  const accepted = wakeAll(stack.url).then(secondsSince);
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
  return { besideMs, acceptedSeconds: await accepted, endedSeconds: await ended, mostQueued };
}

function figuresOf(alone: readonly number[], storm: Storm): Figures {
  const { besideMs, acceptedSeconds, endedSeconds, mostQueued } = storm;
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
    endedSeconds,
    turnsPerSecond: round(SESSIONS / endedSeconds),
    mostQueued,
  };
}

async function interactiveMs(client: GatewayClient, name: string, sample: number): Promise<number> {
  const sentAtMs = performance.now();
  await client.turn(`${name}-${Math.floor(sample / SAMPLES_PER_SESSION)}`);
  return performance.now() - sentAtMs;
}

async function waitingIn({ processes }: BenchStack): Promise<{ queued: number; running: number }> {
  const service = processes().find(({ app }) => app === 'session-svc');
  const scraped = await scrape(service?.healthUrl);
  return {
    queued: total(scraped, 'skein_invocations_queued'),
    running: total(scraped, 'skein_invocations_running'),
  };
}

/** Returns once all are accepted. */
async function wakeAll(url: string): Promise<void> {
  const agent = new Agent({ maxSockets: ACCEPTING });
  let next = 0;
  const drive = async (): Promise<void> => {
    while (next < SESSIONS) await accept(url, agent, `woken-${next++}`);
  };
  await Promise.all(Array.from({ length: ACCEPTING }, drive));
  agent.destroy();
}

/** The answer's head comes when the invocation is stored; the rest is for somebody who stays. */
function accept(url: string, agent: Agent, sessionId: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const sent = request(new URL('/run_sse', url), { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode} for ${sessionId}`));
      response.destroy();
      resolve();
    });
    sent.on('error', reject);
    const newMessage = { role: 'user', parts: [{ text: 'What is 1 + 2?' }] };
    const named = { appName: 'bench', userId: 'cron', sessionId };
    sent.end(JSON.stringify({ ...named, autoCreateSession: true, newMessage }));
  });
}
