import { processorMs } from '../process-figures';
import { type Figures, type Measured, round } from '../report';
import { startSecondSessionSvc } from '../second-session-svc';
import { type BenchStack, measureOnStack } from '../with-stack';
import { IN_FLIGHT, ONE_OF_EACH, perSecond, runOver } from './turn';

interface Fleet {
  readonly runners: number;
  readonly sessionServices: 1 | 2;
  readonly toolWorkers: number;
}

const FLEETS: readonly Fleet[] = [
  { runners: 1, sessionServices: 1, toolWorkers: 1 },
  { runners: 1, sessionServices: 1, toolWorkers: 2 },
  { runners: 1, sessionServices: 1, toolWorkers: 4 },
  { runners: 1, sessionServices: 1, toolWorkers: 8 },
  { runners: 2, sessionServices: 1, toolWorkers: 1 },
  { runners: 1, sessionServices: 2, toolWorkers: 1 },
  { runners: 2, sessionServices: 2, toolWorkers: 2 },
];
/** As many for each runner and each worker as for the only one: a colder process is a dearer one. */
const WARM_UP_TURNS = 2_000;
const TURNS = 3_840;
const NOTE = `Turns a second with ${IN_FLIGHT} in flight, and processor time of the whole stack for each, with so many runners, session-svc and tool workers on the same machine: more processes on the same cores show what sharing the work costs, not what more machines give.`;

/** What it costs a turn that there are several of a service. */
export async function measureScale(): Promise<Measured> {
  let measured: Measured | undefined;
  const figures: Record<string, number> = {};
  for (const fleet of FLEETS) {
    const env = {
      ...ONE_OF_EACH,
      RUNNERS: String(fleet.runners),
      TOOL_WORKERS: String(fleet.toolWorkers),
    };
    measured = await measureOnStack(env, (stack) => measureFleet(stack, fleet));
    const { runners, sessionServices, toolWorkers } = fleet;
    const name = `${runners} runner ${sessionServices} session-svc ${toolWorkers} tool-worker`;
    for (const [figure, value] of Object.entries(measured.figures)) figures[`${figure} ${name}`] = value;
  }
  if (!measured) throw new Error('no fleet was measured');
  return { ...measured, figures, note: NOTE };
}

async function measureFleet(stack: BenchStack, fleet: Fleet): Promise<Figures> {
  const second = fleet.sessionServices === 2 ? await startSecondSessionSvc(stack) : undefined;
  try {
    const most = Math.max(fleet.runners, fleet.sessionServices, fleet.toolWorkers);
    const turns = WARM_UP_TURNS * Math.min(most, 2);
    await runOver(stack.url, { prefix: 'warm', turns, inFlight: IN_FLIGHT });
    const pids = [...stack.processes().map(({ pid }) => pid), ...(second ? [second.pid] : [])];
    const used = (): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
    const before = used();
    const taken = await runOver(stack.url, { prefix: 'crowd', turns: TURNS, inFlight: IN_FLIGHT });
    return { turnsPerSecond64: perSecond(taken), processorMsPerTurn: round((used() - before) / TURNS) };
  } finally {
    await second?.stop(10_000);
  }
}
