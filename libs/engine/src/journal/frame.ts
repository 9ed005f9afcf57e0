import { AdkError } from '@skein/contracts';

export type StepKind =
  | 'user'
  | 'run'
  | 'model'
  | 'tools'
  | 'event'
  | 'before'
  | 'after'
  | 'auth'
  | 'confirmation'
  | 'output'
  | 'state'
  | 'compaction'
  | 'code'
  | 'dangling'
  | 'cancelled'
  | 'error'
  | 'now'
  | 'random'
  | 'uuid';

/** Stands before the name of an author's step, so that none can look like a step of the engine's own. */
const AUTHOR_STEP = 'step:';

/** Stands before what plugins draw from the run's context. No agent has such a name: those have a number behind them. */
export const BELOW_HOOKS = 'plugins';

/** Whether a step was named by an author, in the very frame of this path. */
export function isAuthorStepOf(path: string, stepKey: string): boolean {
  const name = stepKey.slice(path.length + 1);
  return stepKey.startsWith(`${path}/`) && name.startsWith(AUTHOR_STEP) && !name.includes('/');
}

/** Agents that run each other without end would take all memory of their process, and with it every other run's. */
const MAX_LEVELS = 200;

function tooDeep(name: string): AdkError {
  const message = `Agents run each other more than ${MAX_LEVELS} deep, "${name}" the last one.`;
  return new AdkError('invalid', 'agent.depth', message);
}

export function isTooDeep(thrown: unknown): boolean {
  return AdkError.isInstance(thrown) && thrown.code === 'agent.depth';
}

interface AuthorSteps {
  /** Asked for, without an outcome yet. */
  open: number;
  /** Each was asked for when the one before it had its outcome. */
  inTurn: boolean;
}
/** The place of a call in its round: only the frame of a call has a number for a name. */
const CALL = /\/\d+(\/|$)/;

/**
 * One activation of an agent (or of a tool that runs agents) within a segment: it names its steps and the frames below
 * it. A step key reads `<segment>/<name>.<ordinal>/…/<step>.<ordinal>`; ordinals count activations of the same name in
 * the same parent, in the order the code asks for them, so a second run of the same code finds the same keys.
 */
export class Frame {
  /** Made with the first name: most frames of callbacks give none. */
  #ordinals: Map<string, number> | undefined;
  /** How the author's steps of this activation were asked for so far. */
  readonly authorSteps: AuthorSteps = { open: 0, inTurn: true };
  #didNew = false;

  private constructor(
    /** Every step and frame below begins with it. */
    readonly path: string,
    /** Whether its steps, and the frames below it, come one after the other. */
    readonly inOrder: boolean,
    readonly parent?: Frame,
  ) {}

  /** How many activations this one stands below. */
  get depth(): number {
    return this.parent ? this.parent.depth + 1 : 0;
  }

  /** Whether anything was done in it, or below it, that was not stored before. */
  get didNew(): boolean {
    return this.#didNew;
  }

  noteNew(): void {
    this.#didNew = true;
    this.parent?.noteNew();
  }

  /** The frame of one pass of the engine; `segment` counts an invocation's inputs from 0. */
  static ofSegment(segment: number): Frame {
    return new Frame(String(segment), true);
  }

  /** The frame of one call of a tool round, for a tool that runs agents. */
  static ofCall(stepKey: string, index: number): Frame {
    return new Frame(`${stepKey}/${index}`, true);
  }

  /** The frame of what an author's code asks for within a step: in its callbacks. */
  static ofStep(stepKey: string): Frame {
    return new Frame(stepKey, false);
  }

  /** The next activation of `name` below this one. Throws `agent.depth` when it stands below too many. */
  enter(name: string, { inOrder }: { readonly inOrder: boolean }): Frame {
    // Agents that are tools of others have a frame without a parent; the path goes on.
    if (this.path.split('/').length >= MAX_LEVELS) throw tooDeep(name);
    return new Frame(this.#next(name), inOrder, this);
  }

  /** The key of the next step of this kind. */
  step(kind: StepKind): string {
    return this.#next(kind);
  }

  /** The key of the next step an author gave this name. */
  authorStep(name: string): string {
    return this.#next(AUTHOR_STEP + encodeURIComponent(name));
  }

  /** The key that the next step of this kind will have. */
  upcoming(kind: StepKind): string {
    return this.#key(kind);
  }

  /** Names the next piece of an event to come, by the event's step. */
  pieceOf(stepKey: string): string {
    const count = this.#countOf(stepKey);
    this.#count(stepKey);
    return `${stepKey}/piece.${count}`;
  }

  /** Whether a step is one of this activation or of those below it; not of a run within one of their calls. */
  isWithin(stepKey: string): boolean {
    return stepKey.startsWith(`${this.path}/`) && !CALL.test(stepKey.slice(this.path.length));
  }

  #next(name: string): string {
    const key = this.#key(name);
    this.#count(name);
    return key;
  }

  #key(name: string): string {
    return `${this.path}/${name}.${this.#countOf(name)}`;
  }

  #countOf(name: string): number {
    return this.#ordinals?.get(name) ?? 0;
  }

  #count(name: string): void {
    const count = this.#countOf(name) + 1;
    (this.#ordinals ??= new Map()).set(name, count);
  }
}
