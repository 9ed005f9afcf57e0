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

/**
 * One activation of an agent (or of a tool that runs agents) within a segment: it names its steps and the frames below
 * it. A step key reads `<segment>/<name>.<ordinal>/…/<step>.<ordinal>`; ordinals count activations of the same name in
 * the same parent, in the order the code asks for them, so a second run of the same code finds the same keys.
 */
export class Frame {
  readonly #ordinals = new Map<string, number>();

  private constructor(
    private readonly path: string,
    /** How many activations this one stands below. */
    readonly depth = 0,
  ) {}

  /** The frame of one pass of the engine; `segment` counts an invocation's inputs from 0. */
  static ofSegment(segment: number): Frame {
    return new Frame(String(segment));
  }

  /** The frame of one call of a tool round, for a tool that runs agents. */
  static ofCall(stepKey: string, index: number): Frame {
    return new Frame(`${stepKey}/${index}`);
  }

  /** The frame of what an author's code asks for within a step: in its callbacks. */
  static ofStep(stepKey: string): Frame {
    return new Frame(stepKey);
  }

  /** The next activation of `name` below this one. */
  enter(name: string): Frame {
    return new Frame(this.#next(name), this.depth + 1);
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

  #next(name: string): string {
    const key = this.#key(name);
    this.#ordinals.set(name, (this.#ordinals.get(name) ?? 0) + 1);
    return key;
  }

  #key(name: string): string {
    return `${this.path}/${name}.${this.#ordinals.get(name) ?? 0}`;
  }
}
