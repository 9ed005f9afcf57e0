import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type Operation } from '@skein/engine';
import { type ActiveRuns } from './active-runs';

const KINDS = ['llm', 'step'];

/**
 * Counts model calls, authors' steps and what authors' callbacks make of results among what their run has under way, until
 * the answered function is called. Each ends on these channels when its outcome is staged, or in the very turn of the loop
 * in which that happens or the next one begins: so a run without one has nothing to lose.
 */
export function watchSteps(runs: Pick<ActiveRuns, 'get'>): () => void {
  const endings = new WeakMap<Operation, () => void>();
  const begin = (message: unknown): void => {
    const step = message as Operation; // What the engine publishes there.
    const run = runs.get(String(step.attributes['gcp.vertex.agent.invocation_id']));
    if (run) endings.set(step, run.steps.begin());
  };
  const end = (message: unknown): void => endings.get(message as Operation)?.();
  const listeners = KINDS.flatMap((kind) => [
    [`skein:${kind}:start`, begin] as const,
    [`skein:${kind}:stop`, end] as const,
    [`skein:${kind}:exception`, end] as const,
  ]);
  for (const [name, listener] of listeners) subscribe(name, listener);
  return () => {
    for (const [name, listener] of listeners) unsubscribe(name, listener);
  };
}
