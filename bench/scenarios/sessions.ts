import { type StackProcess } from '@skein/stack';
import { GatewayClient } from '../gateway-client';
import { InsideProcesses } from '../inside-processes';
import { residentKibibytes } from '../process-figures';
import { type Figures, type Measured, quantile, round } from '../report';
import { until } from '../until';
import { type BenchStack, measureOnStack } from '../with-stack';
import { IN_FLIGHT, ONE_OF_EACH, runOver, WARM_UP_TURNS } from './turn';

const STORED = 10_000;
const SAMPLES = 400;
/** A session's turns in a row of samples: few, so that all are about as young. */
const TURNS = 4;
const NOTE = `p50 of turns one at a time, round-robin over the sessions, of which none has had more than ${TURNS} turns: one session in use, 100, and ${STORED} that have had a turn each; then one in use again, with the ${STORED} stored beside it. Memory: each process has collected its garbage and then keeps its resident memory for three looks in a row, before and after the ${STORED}.`;

/** Whether a turn costs more where many sessions are stored, and what memory an idle session takes in every process. */
export async function measureSessions(): Promise<Measured> {
  const inside = new InsideProcesses('collect-garbage');
  try {
    const measured = await measureOnStack({ ...ONE_OF_EACH, ...inside.env }, (stack) =>
      measure(stack, inside),
    );
    return { ...measured, note: NOTE };
  } finally {
    inside.close();
  }
}

async function measure(stack: BenchStack, inside: InsideProcesses): Promise<Figures> {
  await runOver(stack.url, { prefix: 'warm', turns: WARM_UP_TURNS, inFlight: IN_FLIGHT });
  const one = await p50Ms(stack.url, (sample) => `one-${Math.floor(sample / TURNS)}`);
  const hundred = await p50Ms(stack.url, (sample) => `hundred-${sample % (SAMPLES / TURNS)}`);
  const before = await settledMemory(stack.processes(), inside);
  await storeSessions(stack.url);
  const after = await settledMemory(stack.processes(), inside);
  const stride = STORED / SAMPLES;
  const many = await p50Ms(stack.url, (sample) => `stored-${sample * stride}`);
  const oneBeside = await p50Ms(stack.url, (sample) => `beside-${Math.floor(sample / TURNS)}`);
  return {
    p50Ms1: one,
    p50Ms100: hundred,
    p50Ms10000: many,
    'p50Ms1 beside10000': oneBeside,
    p50Ratio100: round(hundred / one),
    p50Ratio10000: round(many / one),
    ...perSession(before, after),
  };
}

async function p50Ms(url: string, sessionOf: (sample: number) => string): Promise<number> {
  const client = new GatewayClient(url, 1);
  const samplesMs: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const sentAtMs = performance.now();
    await client.turn(sessionOf(sample));
    samplesMs.push(performance.now() - sentAtMs);
  }
  client.close();
  return quantile(samplesMs, 0.5);
}

async function storeSessions(url: string): Promise<void> {
  const client = new GatewayClient(url, IN_FLIGHT);
  let next = 0;
  const drive = async (): Promise<void> => {
    while (next < STORED) await client.turn(`stored-${next++}`);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, drive));
  client.close();
}

interface Memory {
  readonly residentKib: number;
  /** Of JavaScript objects and what is bound to them; of our own processes alone. */
  readonly heapKib?: number;
}

/** Three looks in a row that lie within 1%: what a process gives back to the system it gives back some time later. */
async function settledMemory(
  processes: readonly StackProcess[],
  inside: InsideProcesses,
): Promise<ReadonlyMap<string, Memory>> {
  const heaps = await inside.ask(processes);
  const memory = new Map<string, Memory>();
  // PostgreSQL's processes share most of their memory, and its data is on the disk.
  for (const { name, pid } of processes.filter(({ app }) => app !== 'postgres')) {
    const looks: number[] = [];
    const isSettled = (): boolean => {
      looks.push(residentKibibytes(pid));
      const last = looks.slice(-3);
      return last.length === 3 && Math.max(...last) <= 1.01 * Math.min(...last);
    };
    await until(`the memory of ${name} to settle`, isSettled, 120_000, 1_000);
    // collect-garbage.cjs's answer.
    const heap = heaps.get(name) as NodeJS.MemoryUsage | undefined;
    const heapKib = heap && { heapKib: (heap.heapUsed + heap.external) / 1024 };
    memory.set(name, { residentKib: looks.at(-1) ?? NaN, ...heapKib });
  }
  return memory;
}

function perSession(before: ReadonlyMap<string, Memory>, after: ReadonlyMap<string, Memory>): Figures {
  const figures: Record<string, number> = {};
  for (const [name, { residentKib, heapKib }] of after) {
    const then = before.get(name);
    figures[`residentKibPerSession ${name}`] = round((residentKib - (then?.residentKib ?? NaN)) / STORED);
    if (heapKib !== undefined)
      figures[`heapKibPerSession ${name}`] = round((heapKib - (then?.heapKib ?? NaN)) / STORED);
  }
  return figures;
}
