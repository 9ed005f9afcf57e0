import { type Random } from '../support/random';

/** Where a point lies in the life of a process: on its way up, at work, or on its way out after a SIGTERM. */
export type Phase = 'start' | 'work' | 'end';

/** A point of one app at which a process is to be killed, and at which of its passes. */
export interface Target {
  readonly app: string;
  readonly point: string;
  readonly phase: Phase;
  readonly passes: number;
}

interface Reached {
  readonly app: string;
  readonly point: string;
  phase: Phase;
  /** Passes seen in one life. */
  most: number;
  /** How often it was armed without having been hit yet. */
  tries: number;
}

/** A point that was armed so often without being passed is left to chance. */
const TRIES = 4;
/** How far into the work a random kill may lie. */
const MOST_PASSES = 25;

/** The points that processes were seen to pass, and at which of them one was killed: first each once, then any. */
export class Targets {
  readonly #reached = new Map<string, Reached>();
  readonly #hits = new Map<string, number>();

  constructor(private readonly random: Random) {}

  /** Takes in what a process of this app has passed so far in this phase of its life. */
  reached(app: string, passes: Readonly<Record<string, number>>, phase: Phase): void {
    for (const [point, count] of Object.entries(passes)) {
      const key = `${app} ${point}`;
      const known = this.#reached.get(key) ?? { app, point, phase, most: count, tries: 0 };
      this.#reached.set(key, known);
      known.most = Math.max(known.most, count);
      // At work it is easier to come by.
      if (phase === 'work') known.phase = 'work';
    }
  }

  /** The next one for a process of this app in one of these phases; undefined when it has none. */
  next(app: string, phases: readonly Phase[]): Target | undefined {
    const all = [...this.#reached.values()].filter((one) => one.app === app && phases.includes(one.phase));
    const open = all.filter(({ point, tries }) => !this.#hits.has(point) && tries < TRIES);
    const [choices, isOpen] = open.length > 0 ? [open, true] : [all, false];
    if (choices.length === 0) return undefined;
    const chosen = this.random.pick(choices);
    chosen.tries += 1;
    const mostPasses = Math.min(MOST_PASSES, Math.ceil(chosen.most / 4));
    const passes = isOpen || chosen.phase !== 'work' ? 1 : this.random.integer(1, mostPasses);
    return { app, point: chosen.point, phase: chosen.phase, passes };
  }

  /** Whether this app has points of the phase at which nobody was killed. */
  hasOpen(app: string, phase: Phase): boolean {
    return [...this.#reached.values()].some(
      (one) => one.app === app && one.phase === phase && one.tries < TRIES && !this.#hits.has(one.point),
    );
  }

  hit(point: string): void {
    this.#hits.set(point, (this.#hits.get(point) ?? 0) + 1);
  }

  get byPoint(): Record<string, number> {
    return Object.fromEntries([...this.#hits].sort());
  }

  /** Points that some process passed, and those of them at which none was killed. */
  get coverage(): { readonly reached: readonly string[]; readonly notHit: readonly string[] } {
    const reached = [...new Set([...this.#reached.values()].map(({ point }) => point))].sort();
    return { reached, notHit: reached.filter((point) => !this.#hits.has(point)) };
  }
}
