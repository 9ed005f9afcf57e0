import { setTimeout as pause } from 'node:timers/promises';
import { GatewayClient } from '../gateway-client';
import { type Figures, type Measured, type ScenarioOptions } from '../report';
import { scrape, total } from '../scrape';
import { type BenchStack, measureOnStack } from '../with-stack';
import { startLoad } from './soak/load';
import { lookAt, type ProcessLooks } from './soak/process-looks';
import { processFigures } from './soak/process-figures';

const SAMPLE_EVERY_MS = 30_000;
/** What the load has under way when it ends, and what is swept up behind it. */
const END_DEADLINE_MS = 60_000;
/** Full within minutes: what still grows behind that is no cache. */
const RUNNER_ENV = { SESSION_CACHE_BYTES: String(2 * 1024 * 1024) };

/** R9: a steady load for `minutes`; what memory and event loops do meanwhile, and what is left undone at its end. */
export async function measureSoak({ minutes }: ScenarioOptions): Promise<Measured> {
  const looks = new Map<string, ProcessLooks>();
  const measured = await measureOnStack(RUNNER_ENV, async (stack) => {
    const client = new GatewayClient(stack.url, 64);
    const load = startLoad(client);
    const endsAtMs = performance.now() + minutes * 60_000;
    for (;;) {
      await lookAt(stack.processes(), looks);
      const leftMs = endsAtMs - performance.now();
      if (leftMs <= 0) break;
      await load.failsOr(pause(Math.min(SAMPLE_EVERY_MS, leftMs)));
    }
    const turns = await load.stop();
    client.close();
    return { minutes, turns, ...processFigures(looks), ...(await leftUndone(stack)) };
  });
  return {
    ...measured,
    note: `${minutes} minutes of about four turns a second over changing sessions: tools, several calls at once, streams; runners keep 2 MiB of sessions, which are full within minutes. Each process looked at every ${SAMPLE_EVERY_MS / 1_000} s; first and last: medians of the halves, slope: KiB an hour over the last half.`,
    samples: Object.fromEntries([...looks].map(([name, { residentKib }]) => [name, residentKib])),
  };
}

/** Zero of each, as soon as it is so; what is left when the deadline has passed. */
async function leftUndone(stack: BenchStack): Promise<Figures> {
  const service = stack.processes().find(({ app }) => app === 'session-svc');
  const endsAtMs = performance.now() + END_DEADLINE_MS;
  for (;;) {
    const scraped = await scrape(service?.healthUrl);
    const left = {
      queuedAtEnd: total(scraped, 'skein_invocations_queued'),
      runningAtEnd: total(scraped, 'skein_invocations_running'),
      openCallsAtEnd:
        total(scraped, 'skein_tool_calls_queued') + total(scraped, 'skein_tool_calls_dispatched'),
      unpublishedAtEnd: total(scraped, 'skein_events_unpublished'),
    };
    const isDone = Object.values(left).every((count) => count === 0);
    if (isDone || performance.now() > endsAtMs) return left;
    await pause(250);
  }
}
