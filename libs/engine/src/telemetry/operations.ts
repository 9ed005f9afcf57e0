import { type Channel, channel } from 'node:diagnostics_channel';
import { type LlmResponse } from '../model/llm-response';

/** What can be listened to on `skein:<kind>:start`, `:stop` and `:exception`. */
export type OperationKind = 'llm' | 'model' | 'tool' | 'agent' | 'step' | 'append';

/** One operation; the very same object is published when it starts and when it ends, so a listener can keep its clock. */
export interface Operation {
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** What it threw; only on `:exception`. */
  error?: unknown;
  /** Of kind `model`, what the model said of its last whole answer. */
  answer?: ModelAnswer;
}

const channels = {
  llm: channelsOf('llm'),
  model: channelsOf('model'),
  tool: channelsOf('tool'),
  agent: channelsOf('agent'),
  step: channelsOf('step'),
  append: channelsOf('append'),
} satisfies Record<OperationKind, OperationChannels>;

interface OperationChannels {
  readonly start: Channel;
  readonly stop: Channel;
  readonly exception: Channel;
}

export type ModelAnswer = Pick<LlmResponse, 'usageMetadata' | 'errorCode'>;

/** It ends once: what comes after `fail` or `stop` is published nowhere. */
export interface RunningOperation {
  answered(answer: ModelAnswer): void;
  stop(): void;
  fail(error: unknown): void;
}

/** The attribute that tells whose operation it is. */
const INVOCATION = 'gcp.vertex.agent.invocation_id';

const UNHEARD: RunningOperation = { answered: () => undefined, stop: () => undefined, fail: () => undefined };

/** Publishes the start and the end of `work`; a throw is published and thrown on. Costs next to nothing unheard. */
export function observed<T>(
  kind: OperationKind,
  attributes: Operation['attributes'],
  work: () => Promise<T>,
): Promise<T> {
  return hasListeners(kind) ? published(kind, attributes, work) : work();
}

async function published<T>(
  kind: OperationKind,
  attributes: Operation['attributes'],
  work: () => Promise<T>,
): Promise<T> {
  const operation = startOperation(kind, kind, attributes);
  try {
    return await work();
  } catch (error) {
    operation.fail(error);
    throw error;
  } finally {
    operation.stop();
  }
}

/**
 * The answers of a model, as they come; tells when it is asked and when that is over. An `llm` operation is the whole
 * step, with callbacks; this is the wait for the provider alone, so that a callback in the model's place is none.
 */
export function observedModel(
  attributes: Operation['attributes'],
  answers: AsyncGenerator<LlmResponse, void>,
): AsyncGenerator<LlmResponse, void> {
  return hasListeners('model') ? publishedAnswers(attributes, answers) : answers;
}

async function* publishedAnswers(
  attributes: Operation['attributes'],
  answers: AsyncGenerator<LlmResponse, void>,
): AsyncGenerator<LlmResponse, void> {
  const operation = startModelOperation(attributes);
  try {
    for await (const answer of answers) {
      if (!answer.partial) operation.answered(answer);
      yield answer;
    }
  } catch (error) {
    operation.fail(error);
    throw error;
  } finally {
    operation.stop();
  }
}

/** The same, for one who goes through the answers himself. */
export function startModelOperation(attributes: Operation['attributes']): RunningOperation {
  return startOperation('model', 'model', attributes);
}

/** Tells of what an author's code does for a run and another process would have to do again. */
export function observedStep<T>(invocationId: string, name: string, work: () => Promise<T>): Promise<T> {
  return observed('step', { [INVOCATION]: invocationId, 'skein.step.name': name }, work);
}

function startOperation(
  kind: OperationKind,
  name: string,
  attributes: Operation['attributes'],
): RunningOperation {
  if (!hasListeners(kind)) return UNHEARD;
  const { start, stop, exception } = channels[kind];
  const operation: Operation = { name, attributes };
  start.publish(operation);
  let hasEnded = false;
  const end = (ending: Channel): void => {
    if (!hasEnded) ending.publish(operation);
    hasEnded = true;
  };
  return {
    answered: ({ usageMetadata, errorCode }) => {
      operation.answer = { usageMetadata, errorCode };
    },
    stop: () => end(stop),
    fail: (error) => {
      operation.error = error;
      end(exception);
    },
  };
}

const KINDS: Readonly<Record<string, OperationKind>> = {
  call_llm: 'llm',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  // Its summarizer asks a model.
  compact_events: 'llm',
};

/** The operation a span stands for; other spans are published nowhere. */
export function startSpanOperation(name: string, attributes: Operation['attributes']): RunningOperation {
  const kind = kindOf(name);
  return kind ? startOperation(kind, name, attributes) : UNHEARD;
}

/** Whether anybody would hear of the operation that a span stands for. */
export function isHeard(name: string): boolean {
  const kind = kindOf(name);
  return kind !== undefined && hasListeners(kind);
}

function kindOf(name: string): OperationKind | undefined {
  const end = name.indexOf(' ');
  return KINDS[end < 0 ? name : name.slice(0, end)];
}

function hasListeners(kind: OperationKind): boolean {
  const { start, stop, exception } = channels[kind];
  return start.hasSubscribers || stop.hasSubscribers || exception.hasSubscribers;
}

function channelsOf(kind: OperationKind): OperationChannels {
  const of = (moment: keyof OperationChannels): Channel => channel(`skein:${kind}:${moment}`);
  return { start: of('start'), stop: of('stop'), exception: of('exception') };
}
