import { type BaseTool } from '@skein/engine';
import { type Logger } from '@skein/platform';
import { type ServicesOfCall } from '../catalog/loaded-tool-catalog';
import { type IsolatedAttempt } from '../catalog/tool-catalog';
import { type ExecutedTool } from '../calls/tool-outcome';
import { type IsolateSettings } from './isolate-messages';
import { type IsolatePool } from './isolate-pool';
import { IsolatedCall } from './isolated-call';
import { ProcessPool } from './process-pool';
import { ThreadPool } from './thread-pool';

export interface IsolatePoolsOptions {
  readonly settings: Omit<IsolateSettings, 'memoryLimitBytes'>;
  /** Where tools run that do not say it themselves. */
  readonly isolation: BaseTool['isolation'] & string;
  /** Of each pool of threads or processes. */
  readonly size: number;
  readonly logger: Logger;
}

/** What a tool may take when it does not say it itself. */
const MEMORY_LIMIT_BYTES = 512 * 2 ** 20;

type Placed = Pick<BaseTool, 'isolation' | 'memoryLimitBytes'>;

/** The warm threads and processes of this worker, by memory limit; there are none for what no tool asks for. */
export class IsolatePools {
  readonly #pools = new Map<string, IsolatePool>();

  constructor(private readonly options: IsolatePoolsOptions) {}

  isIsolated(tool: Placed): boolean {
    return this.#isolationOf(tool) !== 'inline';
  }

  /** Has threads or processes ready for a tool before its first call. */
  prepare(tool: Placed): void {
    if (this.isIsolated(tool)) this.#poolOf(tool);
  }

  run(tool: Placed, attempt: IsolatedAttempt, services: ReturnType<ServicesOfCall>): Promise<ExecutedTool> {
    return new IsolatedCall(attempt, services).run(this.#poolOf(tool));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #isolationOf({ isolation }: Placed): IsolatePoolsOptions['isolation'] {
    return isolation ?? this.options.isolation;
  }

  #poolOf(tool: Placed): IsolatePool {
    const isolation = this.#isolationOf(tool);
    const { memoryLimitBytes = MEMORY_LIMIT_BYTES } = tool;
    const key = `${isolation}/${memoryLimitBytes}`;
    const known = this.#pools.get(key);
    if (known) return known;
    const { settings, size, logger } = this.options;
    const options = { settings: { ...settings, memoryLimitBytes }, size, logger };
    const pool = isolation === 'thread' ? new ThreadPool(options) : new ProcessPool(options);
    this.#pools.set(key, pool);
    return pool;
  }
}
