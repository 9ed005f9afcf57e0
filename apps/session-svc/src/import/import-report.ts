import { type SourceCounts } from '@skein/session-sources';

/** Where what is in the source went. */
export type Fate =
  /** Stored now. */
  | 'imported'
  /** Stored by an earlier import of the same source. */
  | 'before'
  /** It cannot be stored, is in Skein by another way, or is a partial event, of which none is kept. */
  | 'leftOut';

export interface Tally {
  readonly imported: number;
  readonly before: number;
  readonly leftOut: number;
}

/** What of the source is counted, by table. */
export type Counted = 'sessions' | 'events' | 'app states' | 'user states';

const NOTHING: Tally = { imported: 0, before: 0, leftOut: 0 };
const PROGRESS_EVENTS = 5_000;
const PROGRESS_SESSIONS = 100;

/** Says what becomes of each row that does not simply go over, how far the import is, and what came to what. */
export class ImportReport {
  readonly #tallies = new Map<Counted, Tally>();
  #sessionsThere = 0;
  #eventsRead = 0;
  #problems = 0;

  constructor(private readonly write: (line: string) => void) {}

  /** Whether something is not in Skein. */
  get hasProblems(): boolean {
    return this.#problems > 0;
  }

  /** Says how much there is to do. */
  begin({ sessions, events, appStates, userStates }: SourceCounts): void {
    this.#sessionsThere = sessions;
    this.write(
      `There: ${sessions} sessions with ${events} events, ${appStates} app states, ${userStates} user states`,
    );
  }

  /** Says what was done of it when it cannot go on. */
  end(): void {
    const { imported, before, leftOut } = this.tally('sessions');
    this.write(
      `Ended before all of it was read: ${imported} sessions were imported, ${before} were there before, ` +
        `${leftOut} were left out. What is stored stays; the next run goes on from there.`,
    );
  }

  count(what: Counted, fate: Fate, rows = 1): void {
    const tally = this.tally(what);
    this.#tallies.set(what, { ...tally, [fate]: tally[fate] + rows });
    if (what !== 'sessions') return;
    const { imported, before, leftOut } = this.tally('sessions');
    if ((imported + before + leftOut) % PROGRESS_SESSIONS === 0) this.#progress();
  }

  tally(what: Counted): Tally {
    return this.#tallies.get(what) ?? NOTHING;
  }

  /** A row that is not in Skein, or a number that is not what it should be. */
  problem(where: string, reason: string): void {
    this.#problems += 1;
    this.write(`NOT IMPORTED ${where}: ${reason}`);
  }

  /** What is worth knowing and is no fault. */
  note(sentence: string): void {
    this.write(sentence);
  }

  read(events: number): void {
    const pieces = Math.floor(this.#eventsRead / PROGRESS_EVENTS);
    this.#eventsRead += events;
    if (Math.floor(this.#eventsRead / PROGRESS_EVENTS) > pieces) this.#progress();
  }

  table(rows: readonly (readonly [Counted, source: number, stored: number | undefined])[]): void {
    const header = ['', 'source', 'imported', 'before', 'left out', 'in Skein'];
    const lines = rows.map(([what, source, stored]) => {
      const { imported, before, leftOut } = this.tally(what);
      return [what, ...[source, imported, before, leftOut, stored ?? '-'].map(String)];
    });
    for (const [name = '', ...cells] of [header, ...lines]) {
      this.write(`  ${name.padEnd(12)}${cells.map((cell) => cell.padStart(10)).join('')}`);
    }
  }

  #progress(): void {
    const { imported, before, leftOut } = this.tally('sessions');
    this.write(
      `… ${this.#eventsRead} events read; sessions: ${imported} imported, ${before} before, ${leftOut} left out, ` +
        `of ${this.#sessionsThere}`,
    );
  }
}
