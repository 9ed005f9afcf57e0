import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { AdkError } from '@skein/contracts';
import { type Operation, type OperationKind } from '@skein/engine';
import { type Metrics } from '@skein/platform';
import { type ActiveRuns } from './active-runs';

type End = (operation: Operation, seconds: number) => void;

/** Counts what runs here ask of models and tools, by what the engine publishes of them, until the answered function is called. */
export function measureRuns(metrics: Metrics, runs: ActiveRuns): () => void {
  metrics.gauge('skein_runs_active', 'Invocations this runner has.', () => runs.list().length);
  metrics.gauge(
    'skein_runs_credit',
    'How many more it would take; 0 when it is full or ends.',
    () => runs.credit,
  );
  const ends = [listen('model', modelMetrics(metrics)), listen('tool', toolMetrics(metrics))];
  return () => {
    for (const end of ends) end();
  };
}

function modelMetrics(metrics: Metrics): End {
  const calls = metrics.counter(
    'skein_model_calls_total',
    'Calls of models, by model and by outcome: ok, refused (it answered an error), or the kind of what was thrown.',
    ['model', 'outcome'],
  );
  const duration = metrics.histogram(
    'skein_model_call_duration_seconds',
    'From the request to a model until the last of its answer, retries included.',
    ['model'],
  );
  const tokens = metrics.counter(
    'skein_model_tokens_total',
    'Tokens a model said it used, by direction: input, output.',
    ['model', 'direction'],
  );
  return ({ attributes, answer, error }, seconds) => {
    const model = String(attributes['gen_ai.request.model']);
    const usage = answer?.usageMetadata ?? {};
    const outcome = answer?.errorCode === undefined ? 'ok' : 'refused';
    calls.increment({ model, outcome: error === undefined ? outcome : AdkError.from(error).kind });
    duration.observe(seconds, { model });
    tokens.increment({ model, direction: 'input' }, countOf(usage.promptTokenCount));
    // Thoughts are paid for as output.
    tokens.increment(
      { model, direction: 'output' },
      countOf(usage.candidatesTokenCount) + countOf(usage.thoughtsTokenCount),
    );
  };
}

/** A provider may say anything, and a counter never goes down. */
function countOf(told: unknown): number {
  return typeof told === 'number' && told > 0 ? told : 0;
}

function toolMetrics(metrics: Metrics): End {
  const duration = metrics.histogram(
    'skein_tool_answer_duration_seconds',
    'From the call of a tool until its answer is here, by tool and by outcome: ok, error (it was thrown). The way to a worker and back is in it, and so are tools that run in the runner.',
    ['tool', 'outcome'],
  );
  return ({ attributes, error }, seconds) =>
    duration.observe(seconds, {
      tool: String(attributes['gen_ai.tool.name']),
      outcome: error === undefined ? 'ok' : 'error',
    });
}

/** Calls back at the end of each operation of a kind with how long it took; answers how to stop that. */
function listen(kind: OperationKind, onEnd: End): () => void {
  const startedAtMs = new WeakMap<Operation, number>();
  // What the engine publishes there.
  const start = (message: unknown): void => void startedAtMs.set(message as Operation, performance.now());
  const end = (message: unknown): void => {
    const operation = message as Operation;
    const started = startedAtMs.get(operation);
    if (started !== undefined) onEnd(operation, (performance.now() - started) / 1_000);
  };
  const listeners = [
    [`skein:${kind}:start`, start],
    [`skein:${kind}:stop`, end],
    [`skein:${kind}:exception`, end],
  ] as const;
  for (const [name, listener] of listeners) subscribe(name, listener);
  return () => {
    for (const [name, listener] of listeners) unsubscribe(name, listener);
  };
}
