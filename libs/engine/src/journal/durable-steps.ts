import { randomInt, randomUUID } from 'node:crypto';
import { AdkError, type JsonValue, MAX_RESULT_DEPTH } from '@skein/contracts';
import { cleanJson } from '../json/clean-json';
import { describeError } from '../error/describe-error';
import { observedStep } from '../telemetry/operations';
import { hashOf } from './asked';
import { type Course } from './course';
import { type Frame } from './frame';
import { type Journal } from './journal';
import { runWithin } from './step-scope';
import { keepError, type KeptError, restoreError } from './kept-error';
import { type ReplayOrder } from './replay-order';

export interface DurableStepsParams {
  readonly invocationId: string;
  readonly journal: Journal;
  readonly replay: ReplayOrder;
  /** Names the steps. */
  readonly frame: Frame;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly course: Course;
  /** That of the agent whose code it is. */
  readonly activation: Frame;
}

/** What a step left: a value, none when it gave nothing, or what it threw. */
interface StepOutcome {
  /** Events of the segment that were in the log when it ended. */
  readonly after?: number;
  /** Whether every step before it had its outcome when it was asked for. */
  readonly inTurn?: boolean;
  readonly value?: JsonValue;
  readonly error?: KeptError;
}

const MAX_NAME = 200;
/** As many as randomInt can tell apart. */
const RANDOM_STEPS = 2 ** 48 - 1;

/** What an author's code asks for once in a run, however often the run is taken over. */
export class DurableSteps {
  constructor(private readonly params: DurableStepsParams) {}

  /** Runs a function, or gives what it gave before; rejects with what it threw, then and now alike. */
  async step<T>(name: string, run: () => Promise<T> | T): Promise<T> {
    assertName(name);
    const { journal, replay, frame, signal, course, activation } = this.params;
    // Before anything is awaited, so that the order of the calls decides and not how long each takes.
    const stepKey = frame.authorStep(name);
    const inTurn = begin(frame);
    if (frame.authorSteps.open > 1) replay.beside(1);
    try {
      const stored = journal.storedRecord('step', stepKey);
      course.unread.read(stepKey);
      if (stored) {
        // Staged below, by this class alone.
        const outcome = stored.payload as StepOutcome;
        await replay.reach(outcome.after ?? 0, signal);
        return settle(outcome) as T;
      }
      course.assertNoneLeftOut(activation, stepKey, frame.path);
      if (inTurn) this.#assertNoStepLeftOut(stepKey);
      await replay.live(signal);
      // Its effects are outside the journal, so what led to it has to be stored first (B64).
      await journal.stored();
      signal.throwIfAborted();
      // To its end it is work that another process would have to do again.
      const { kept, thrown } = await observedStep(this.params.invocationId, name, async () => {
        const reached = await outcomeOf(name, () => runWithin(frame, stepKey, run), signal);
        const payload: StepOutcome = { ...reached.kept, inTurn, after: replay.position };
        journal.stageRecord({ stepKey, kind: 'step', payload, hash: hashOf(`step ${name}`) });
        await journal.stored();
        return reached;
      });
      return settle(kept, thrown) as T;
    } finally {
      frame.authorSteps.open -= 1;
      if (frame.authorSteps.open > 0) replay.beside(-1);
    }
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

  /**
   * Where steps come one after the other, a stored one that is left out is noticed before a new one runs. Where they ran
   * at the same time a crash may have kept any of them; what is left out then shows at the end of the agent.
   */
  #assertNoStepLeftOut(stepKey: string): void {
    const { journal, frame, course } = this.params;
    const leftOut = course.unread.authorStepsOf(frame.path);
    const [first] = leftOut;
    if (first === undefined) return;
    const ranInTurn = (left: string): boolean =>
      (journal.storedRecord('step', left)?.payload as StepOutcome | undefined)?.inTurn === true;
    if (leftOut.every(ranInTurn)) throw course.diverged(first, stepKey);
  }

  /** Need not be stored yet: nothing that follows from it leaves before it is (B64). */
  #drawn(kind: 'now' | 'random' | 'uuid', draw: () => JsonValue): JsonValue {
    const { journal, frame } = this.params;
    const stepKey = frame.step(kind);
    const stored = journal.storedRecord('step', stepKey);
    this.params.course.unread.read(stepKey);
    if (stored) return (stored.payload as { value: JsonValue }).value;
    const value = draw();
    journal.stageRecord({ stepKey, kind: 'step', payload: { value }, hash: hashOf(kind) });
    return value;
  }
}

/** Whether the step that begins now is the only one under way in its frame, as all before it were. */
function begin({ authorSteps }: Frame): boolean {
  if (authorSteps.open > 0) authorSteps.inTurn = false;
  authorSteps.open += 1;
  return authorSteps.inTurn;
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
