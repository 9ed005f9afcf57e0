import { type Event } from '@skein/contracts';
import { Journal, type StagedEvent } from '@skein/engine';

/** A journal in memory that outlives a run: the next run over it finds what the last one stored. */
export class RecordingJournal extends Journal {
  readonly #events = new Map<string, StagedEvent>();
  readonly #empty = new Set<string>();

  /** What is stored, in order. */
  get staged(): readonly StagedEvent[] {
    return [...this.#events.values()];
  }

  /** The keys of all stored steps, those without an event last. */
  get stepKeys(): readonly string[] {
    return [...this.#events.keys(), ...this.#empty];
  }

  /** The journal as a crash after its first `count` events would leave it. */
  cutAfter(count: number): RecordingJournal {
    const cut = new RecordingJournal();
    for (const staged of this.staged.slice(0, count)) cut.stageEvent(staged);
    return cut;
  }

  override storedEvent(stepKey: string): Event | undefined {
    const staged = this.#events.get(stepKey);
    if (!staged) return undefined;
    const { event, temp } = structuredClone({ event: staged.event, temp: staged.temp });
    return { ...event, actions: { ...event.actions, stateDelta: { ...event.actions.stateDelta, ...temp } } };
  }

  override wasEmpty(stepKey: string): boolean {
    return this.#empty.has(stepKey);
  }

  override stageEvent(staged: StagedEvent): void {
    if (!this.#events.has(staged.stepKey)) this.#events.set(staged.stepKey, structuredClone(staged));
  }

  override stageEmpty(stepKey: string): void {
    this.#empty.add(stepKey);
  }

  override async stored(): Promise<void> {
    // In memory at once.
  }
}
