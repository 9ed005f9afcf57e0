import {
  type DuePosition,
  givenUp,
  noteBegunCalls,
  type NotStartedCall,
  readNotStartedCalls,
  type StorePool,
} from '@skein/session-store';
import { type EndedCalls } from './ended-calls';
import { type WorkerDirectory } from '../workers/worker-directory';

export interface NotStartedParts {
  readonly pool: StorePool;
  readonly workers: Pick<WorkerDirectory, 'serves' | 'isRunning' | 'isInformed' | 'begun' | 'noted'>;
  readonly ended: Pick<EndedCalls, 'giveUp'>;
  readonly secret: string;
}

/** Ends calls that no worker began by their start deadline: the model reads why. */
export class NotStartedCalls {
  /** Sent calls past their start deadline, by whether a worker was seen at them. */
  #seen: ReadonlyMap<string, 'idle' | 'begun'> = new Map();

  constructor(private readonly parts: NotStartedParts) {}

  async sweep(signal: AbortSignal): Promise<void> {
    const { pool, secret } = this.parts;
    await this.#noteBegun();
    const before = this.#seen;
    const seen = new Map<string, 'idle' | 'begun'>();
    this.#seen = seen;
    let after: DuePosition | undefined;
    do {
      const { items, next } = await readNotStartedCalls(pool, secret, { after });
      after = next;
      await Promise.all(items.map((one) => this.#look(one, before, seen)));
    } while (after && !signal.aborted);
  }

  async #look(
    late: NotStartedCall,
    before: ReadonlyMap<string, 'idle' | 'begun'>,
    seen: Map<string, 'idle' | 'begun'>,
  ): Promise<void> {
    const { workers } = this.parts;
    const { dispatchId } = late.call.ticket;
    if (late.isWaiting) return this.#end(late);
    const was = before.get(dispatchId);
    const hasBegun = was === 'begun' || workers.isRunning({ dispatchId, pool: late.pool });
    seen.set(dispatchId, hasBegun ? 'begun' : 'idle');
    // Idle twice: its result may be on its way from the worker that has just ended it.
    if (!hasBegun && was === 'idle' && workers.isInformed()) await this.#end(late);
  }

  /** Kept in the database, because a worker that runs a call may fall silent or die before its start deadline. */
  async #noteBegun(): Promise<void> {
    const { pool, workers } = this.parts;
    const begun = workers.begun();
    await noteBegunCalls(pool, begun);
    workers.noted(begun);
  }

  async #end(late: NotStartedCall): Promise<void> {
    const { workers, ended } = this.parts;
    const { tool, appName } = late.call;
    const isServed = !workers.isInformed() || workers.serves(appName, tool, late.pool);
    const error = isServed
      ? { code: 'tool.not-started', message: `No worker was free to begin tool '${tool}' in time.` }
      : {
          code: 'tool.no-worker',
          message: `Tool '${tool}' was not run: no worker that serves it in pool '${late.pool}' came in time.`,
        };
    await ended.giveUp(givenUp(late.call, error));
  }
}
