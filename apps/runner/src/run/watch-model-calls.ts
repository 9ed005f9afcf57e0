import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Operation } from '@skein/engine';
import { type ActiveRuns } from './active-runs';

const [START, STOP, EXCEPTION] = ['skein:llm:start', 'skein:llm:stop', 'skein:llm:exception'];

/**
 * Counts the model calls of each run among its steps under way, until the answered function is called. A call ends on
 * these channels after its answer was staged, so a run without one has nothing to lose.
 */
export function watchModelCalls(runs: Pick<ActiveRuns, 'get'>): () => void {
  const endings = new WeakMap<Operation, () => void>();
  const begin = (message: unknown): void => {
    const call = message as Operation; // What the engine publishes there.
    const run = runs.get(String(call.attributes['gcp.vertex.agent.invocation_id']));
    if (run) endings.set(call, run.steps.begin());
  };
  const end = (message: unknown): void => endings.get(message as Operation)?.();
  subscribe(START, begin);
  for (const name of [STOP, EXCEPTION]) subscribe(name, end);
  return () => {
    unsubscribe(START, begin);
    for (const name of [STOP, EXCEPTION]) unsubscribe(name, end);
  };
}
