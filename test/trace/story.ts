import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { spanIdOf, traceStepOf } from '@skein/contracts';
import { dispatchIdOf } from '@skein/engine';
import { Client } from '../support/client';
import { OtlpReceiver, type ReceivedSpan } from '../support/otlp-receiver';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';
import { startHotelModel } from './hotel-model';

const DYING_MS = 150;
/** Spans of two processes on one machine tell the time that differently at most. */
const CLOCKS_MS = 2;

/**
 * One run with all that a trace has to show: two agents side by side, one of them with two calls at once; a model over
 * HTTP; a worker that is killed in a call, so that the call is delivered again; a runner that is killed while a call
 * runs, so that another goes on.
 */
function travelAgent(folder: string): string {
  return `
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ParallelAgent, ScriptedLlm, SequentialAgent } from '@skein/adk';

const call = (...names) => ({
  content: { role: 'model', parts: names.map((name) => ({ functionCall: { name, args: {} } })) },
});
const say = (text) => ({ content: { role: 'model', parts: [{ text }] } });
const tool = (name, ms, more = async () => undefined) =>
  new FunctionTool({
    name,
    description: 'Part of a journey.',
    execute: async (_args, context) => {
      await more(context);
      await pause(ms);
      return { done: name };
    },
  });

const diesOnce = async ({ idempotencyKey }) => {
  const mark = path.join(${JSON.stringify(folder)}, idempotencyKey);
  if (existsSync(mark)) return;
  writeFileSync(mark, '');
  await pause(${DYING_MS});
  process.kill(process.pid, 'SIGKILL');
};

const untilKilled = async () => {
  console.log('paying');
  while (!existsSync(path.join(${JSON.stringify(folder)}, 'killed'))) await pause(20);
};

export const rootAgent = new SequentialAgent({
  name: 'journey',
  subAgents: [
    new ParallelAgent({
      name: 'research',
      subAgents: [
        new LlmAgent({
          name: 'trains',
          tools: [tool('find_trains', 260), tool('find_fares', 180)],
          model: new ScriptedLlm({ responses: [call('find_trains', 'find_fares'), say('At nine, for 40.')] }),
        }),
        new LlmAgent({ name: 'hotels', tools: [tool('find_rooms', 90)], model: 'gemini-2.5-flash' }),
      ],
    }),
    new LlmAgent({
      name: 'clerk',
      tools: [
        tool('reserve', 120, diesOnce),
        tool('pay', 50, untilKilled),
      ],
      model: new ScriptedLlm({ responses: [call('reserve'), call('pay'), say('Have a good journey.')] }),
    }),
  ],
});
`;
}

export interface Story {
  readonly invocationId: string;
  readonly answer: string;
  readonly collector: OtlpReceiver;
  /** Of the run, all of them, in the order they began. */
  readonly spans: readonly ReceivedSpan[];
  /** When a process was killed, and which, in milliseconds since the epoch. */
  readonly deaths: readonly { readonly atMs: number; readonly text: string }[];
  close(): Promise<void>;
}

/** Scaled down from 15 s, 2 s and 30 s: the time until another runner goes on, and until another worker is given a call. */
const WAITS = { LEASE_MS: '3000', SWEEP_MS: '300', ACK_WAIT_MS: '2000' };

/** Runs it, and waits until the collector has the whole trace. */
export async function runStory(env: NodeJS.ProcessEnv = {}): Promise<Story> {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-story-'));
  const collector = await OtlpReceiver.start();
  const gemini = await startHotelModel();
  const skein = await Skein.start({
    agents: { travel: travelAgent(folder) },
    env: {
      ...WAITS,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      GEMINI_BASE_URL: gemini.baseUrl,
      GOOGLE_API_KEY: gemini.apiKey,
      ...env,
    },
  });
  const close = async (): Promise<void> => {
    await skein.stop();
    await gemini.stop();
    await collector.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await play(skein, collector, folder)), collector, close };
  } catch (error) {
    await close();
    throw new Error(
      `the story broke off; ${collector.spans.length} spans; the log:\n${skein.log().slice(-6_000)}`,
      { cause: error },
    );
  }
}

async function play(
  skein: Skein,
  collector: OtlpReceiver,
  folder: string,
): Promise<Pick<Story, 'invocationId' | 'answer' | 'spans' | 'deaths'>> {
  const client = new Client(skein.url, 'travel');
  await client.createSession('s');
  const running = client.runSse('s', 'To Vienna, please.', { streaming: false });
  await skein.untilLogged(/paying/);
  const owner = await waitUntil('the clerk to have been asked', () => skein.modelRequests().at(-1)?.pid);
  await waitUntil('what the runner has ended to be with the collector', () => {
    const run = runOf(collector);
    const open = openSpans(run);
    const sent = run.find((span) => span.name === 'tool publish' && span.parentSpanId === open.pay);
    // Of the runner, the last one to end, since the call is sent before its unit is answered: what ended before was sent before.
    const isStoringThere = sent && run.some((span) => span.name === 'append' && isWithin(sent, span));
    return isStoringThere && unknownParents(run).every((id) => open.all.has(id));
  });
  const died = skein.processes().find(({ pid }) => pid === owner)?.name ?? 'runner';
  process.kill(owner, 'SIGKILL');
  const runnerDeath = { atMs: Date.now(), text: `${died} is killed` };
  writeFileSync(path.join(folder, 'killed'), '');
  const events = (await running).map(({ data }) => data);
  const spans = await waitUntil('the whole trace', () => {
    const run = runOf(collector);
    const isWhole = run.some(({ name }) => name === 'invocation') && unknownParents(run).length === 0;
    return isWhole && run.some(({ parentSpanId }) => !parentSpanId) ? run : undefined;
  });
  const [last] = events.slice(-1);
  return {
    invocationId: last?.invocationId ?? '',
    answer: last?.content?.parts?.[0]?.text ?? '',
    deaths: [workerDeath(folder, skein.log()), runnerDeath],
    spans: [...spans].sort((one, other) => one.startMs - other.startMs),
  };
}

/** The worker marks that it is about to die, so that it does so once. */
function workerDeath(folder: string, log: string): Story['deaths'][number] {
  const [mark = ''] = readdirSync(folder).filter((name) => name !== 'killed');
  const name = /(tool-worker-\d+) died/.exec(log)?.[1] ?? 'tool-worker';
  return { atMs: statSync(path.join(folder, mark)).mtimeMs + DYING_MS, text: `${name} is killed` };
}

function runOf(collector: OtlpReceiver): ReceivedSpan[] {
  return collector.traceOf(({ name, service }) => name === 'call_llm' && service === 'skein-runner');
}

/** Ids that spans name as their parent, of spans nobody has sent. */
export function unknownParents(spans: readonly ReceivedSpan[]): string[] {
  const known = new Set(spans.map(({ spanId }) => spanId));
  return spans.flatMap(({ parentSpanId }) =>
    parentSpanId && !known.has(parentSpanId) ? [parentSpanId] : [],
  );
}

/** Whether it began while the other lasted. */
function isWithin(inner: ReceivedSpan, outer: ReceivedSpan): boolean {
  return inner.startMs > outer.startMs - CLOCKS_MS && inner.startMs < outer.endMs + CLOCKS_MS;
}

/** Those that last until the run goes on from the call it is killed in; and the request that waits for its end. */
function openSpans(spans: readonly ReceivedSpan[]): { readonly all: Set<string>; readonly pay: string } {
  const ofCall = spans.find(({ name }) => name === 'call_llm')?.attributes;
  const invocationId = String(ofCall?.['gcp.vertex.agent.invocation_id']);
  const idOf = (step: string): string => spanIdOf(traceStepOf(invocationId, step));
  const agents = ['0', '0/journey.0', '0/journey.0/clerk.0'].map(idOf);
  const pay = idOf(dispatchIdOf(invocationId, '0/journey.0/clerk.0/tools.1', 0));
  const request = spans.find(({ name, kind }) => name === 'rpc.session.submit' && kind === 'client');
  return { all: new Set([...agents, pay, request?.parentSpanId ?? '']), pay };
}
