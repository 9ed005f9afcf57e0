/**
 * One activation of an agent (or of a tool that runs agents) within a segment: it names its steps and the frames below
 * it. A step key reads `<segment>/<name>.<ordinal>/…/<step>.<ordinal>`; ordinals count activations of the same name in
 * the same parent, in the order the code asks for them, so a second run of the same code finds the same keys.
 */
export class Frame {
  readonly #ordinals = new Map<string, number>();

  private constructor(private readonly path: string) {}

  /** The frame of one pass of the engine; `segment` counts an invocation's inputs from 0. */
  static ofSegment(segment: number): Frame {
    return new Frame(String(segment));
  }

  /** The next activation of `name` below this one. */
  enter(name: string): Frame {
    return new Frame(this.#next(name));
  }

  /** The key of the next step of this kind. */
  step(kind: 'user' | 'model' | 'tools' | 'event' | 'before' | 'after' | 'error'): string {
    return this.#next(kind);
  }

  #next(name: string): string {
    const ordinal = this.#ordinals.get(name) ?? 0;
    this.#ordinals.set(name, ordinal + 1);
    return `${this.path}/${name}.${ordinal}`;
  }
}
