import { randomInt, randomUUID } from 'node:crypto';
import { AdkError, type JsonValue } from '@skein/contracts';
import { cleanJson, MAX_RESULT_DEPTH } from '../json/clean-json';
import { describeError } from '../error/describe-error';
import { observed } from '../telemetry/operations';
import { type Frame } from './frame';
import { type Journal } from './journal';
import { keepError, type KeptError, restoreError } from './kept-error';

export interface DurableStepsParams {
  readonly invocationId: string;
  readonly journal: Journal;
  /** Names the steps. */
  readonly frame: Frame;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What a step left: a value, none when it gave nothing, or what it threw. */
interface StepOutcome {
  readonly value?: JsonValue;
  readonly error?: KeptError;
}

const MAX_NAME = 200;
/** As many as randomInt can tell apart. */
const RANDOM_STEPS = 2 ** 48 - 1;

/** What an author's code asks for once in a run, however often the run is taken over (architecture 6). */
export class DurableSteps {
  constructor(private readonly params: DurableStepsParams) {}

  /** Runs a function, or gives what it gave before; rejects with what it threw, then and now alike. */
  async step<T>(name: string, run: () => Promise<T> | T): Promise<T> {
    assertName(name);
    const { invocationId, journal, frame, signal } = this.params;
    // Before anything is awaited, so that the order of the calls decides and not how long each takes.
    const stepKey = frame.authorStep(name);
    const stored = journal.storedRecord('step', stepKey);
    // Staged below, by this class alone.
    if (stored) return settle(stored.payload as StepOutcome) as T;
    // Its effects are outside the journal, so what led to it has to be stored first (B64).
    await journal.stored();
    signal.throwIfAborted();
    const attributes = { 'gcp.vertex.agent.invocation_id': invocationId, 'skein.step.name': name };
    // To its end it is work that another process would have to do again.
    const outcome = await observed('step', attributes, async () => {
      const reached = await outcomeOf(name, run, signal);
      journal.stageRecord({ stepKey, kind: 'step', payload: reached.kept });
      await journal.stored();
      return reached;
    });
    return settle(outcome.kept, outcome.thrown) as T;
  }

  now(): number {
    return this.#drawn('now', this.params.now) as number;
  }

  random(): number {
    return this.#drawn('random', () => randomInt(RANDOM_STEPS) / RANDOM_STEPS) as number;
  }

  uuid(): string {
    return this.#drawn('uuid', randomUUID) as string;
  }

  /** Need not be stored yet: nothing that follows from it leaves before it is (B64). */
  #drawn(kind: 'now' | 'random' | 'uuid', draw: () => JsonValue): JsonValue {
    const { journal, frame } = this.params;
    const stepKey = frame.step(kind);
    const stored = journal.storedRecord('step', stepKey);
    if (stored) return (stored.payload as { value: JsonValue }).value;
    const value = draw();
    journal.stageRecord({ stepKey, kind: 'step', payload: { value } });
    return value;
  }
}

/** Where there is no journal: in a tool worker. */
export function noDurableSteps(): never {
  throw new AdkError(
    'invalid',
    'step.no-journal',
    'Steps are for agents, their callbacks and inline tools. A tool in a worker is a step itself; `idempotencyKey` is the same each time it is tried.',
  );
}

interface Outcome {
  readonly kept: StepOutcome;
  readonly thrown?: unknown;
}

async function outcomeOf(name: string, run: () => unknown, signal: AbortSignal): Promise<Outcome> {
  try {
    return { kept: kept(name, await run()) };
  } catch (thrown) {
    // What ends a run that is cancelled, or lost, is no outcome of its code.
    signal.throwIfAborted();
    return { kept: { error: keepError(thrown) }, thrown };
  }
}

function kept(name: string, value: unknown): StepOutcome {
  if (value === undefined) return {};
  try {
    if (typeof value === 'function' || typeof value === 'symbol') {
      throw new AdkError('invalid', 'json.no-form', `A ${typeof value} has no JSON form.`);
    }
    return { value: cleanJson(value, MAX_RESULT_DEPTH) };
  } catch (cause) {
    const message = `The value of step "${name}" cannot be stored: ${describeError(cause)}`;
    throw new AdkError('invalid', 'step.unserialisable', message, { cause });
  }
}

/** The value, of the type the author gave his function: what JSON keeps of it. */
function settle({ value, error }: StepOutcome, thrown?: unknown): unknown {
  if (error) throw restoreError(error, thrown);
  return value;
}

function assertName(name: string): void {
  if (typeof name === 'string' && name !== '' && name.length <= MAX_NAME && name.isWellFormed()) return;
  throw new AdkError('invalid', 'step.name', `A step needs a name of 1 to ${MAX_NAME} characters.`);
}
