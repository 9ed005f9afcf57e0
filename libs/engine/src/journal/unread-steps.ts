import { BELOW_HOOKS, isAuthorStepOf } from './frame';
import { type Journal } from './journal';

/** Steps that only an agent's own course leads to; the others may be left out when it is played again. */
const OF_THE_COURSE = /\/(?:run|model|tools|code|event|before|after)\.\d+(?::\d+)?$/;
/** What belongs to a model call that was cut: the call is repeated, and may come out differently. */
const WITHIN_MODEL = /\/model\.\d+(?::\d+)?\//;

/** What belongs to a call is the tool's: a run within it has its own journal, and a tool may be run again. */
const WITHIN_CALL = /\/\d+\//;

/** No agent's, but of callbacks around the call that the run belongs to: those ask for it outside of the run. */
const OF_THE_CALL = /^\/(?:step:[^/]*(?:\/|$)|(?:now|random|uuid)\.\d+$)/;

/** Plugins that are told of a step are not told again of one that is stored. */
const OF_HOOKS = new RegExp(`/${BELOW_HOOKS}/`);

/**
 * The stored steps of a frame that a repeated run has not come to. At the end of the frame there are none: else its code
 * goes another way now.
 */
export class UnreadSteps {
  /** By every frame and step they lie below. */
  readonly #below = new Map<string, Set<string>>();

  constructor(path: string, journal: Pick<Journal, 'storedSteps' | 'storedRecords'>) {
    const events = journal.storedSteps.filter((stepKey) => OF_THE_COURSE.test(stepKey));
    const steps = [...events, ...journal.storedRecords('step').map(({ stepKey }) => stepKey)];
    for (const stepKey of steps) {
      const name = stepKey.slice(path.length);
      const isOfOthers = [WITHIN_MODEL, WITHIN_CALL, OF_THE_CALL, OF_HOOKS].some((others) =>
        others.test(name),
      );
      if (!stepKey.startsWith(`${path}/`) || isOfOthers) continue;
      for (const above of pathsAbove(stepKey)) {
        const below = this.#below.get(above) ?? new Set();
        this.#below.set(above, below.add(stepKey));
      }
    }
  }

  /** The run came to a step; what was asked for within it is not asked for again. */
  read(stepKey: string): void {
    for (const within of [...(this.#below.get(stepKey) ?? [])]) this.#remove(within);
    this.#remove(stepKey);
  }

  /** The first step below a frame that the run has not come to; of those that are not below another one. */
  firstBelow(path: string, except?: string): string | undefined {
    const below = [...(this.#below.get(path) ?? [])];
    return below.find((stepKey) => except === undefined || !stepKey.startsWith(`${except}/`));
  }

  /** Steps an author named in this very frame, that the run has not come to. */
  authorStepsOf(path: string): string[] {
    return [...(this.#below.get(path) ?? [])].filter((stepKey) => isAuthorStepOf(path, stepKey));
  }

  #remove(stepKey: string): void {
    for (const above of pathsAbove(stepKey)) this.#below.get(above)?.delete(stepKey);
  }
}

function pathsAbove(stepKey: string): string[] {
  const names = stepKey.split('/');
  return names.slice(1).map((_name, index) => names.slice(0, index + 1).join('/'));
}
