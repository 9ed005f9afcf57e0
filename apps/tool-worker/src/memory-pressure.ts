import { totalmem } from 'node:os';
import { type Logger } from '@skein/platform';

/** Of the limit: from the first on fewer calls are taken, at the second one at a time. */
const PRESSED_FROM = 0.7;
const PRESSED_TO = 0.9;
const LOOK_MS = 250;

export interface MemoryPressureOptions {
  /** What this process may hold in memory; the container's limit for 0, and no limit where it has none. */
  readonly limitBytes: number;
  readonly logger: Logger;
  readonly readBytes?: () => number;
}

/**
 * Takes fewer calls while this process holds much memory: the calls it has then finish, where one more might have had all of
 * them ended by the kernel. Never none, because what is held may be nobody's to give back.
 */
export class MemoryPressure {
  readonly #limitBytes: number | undefined;
  #share = 1;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: MemoryPressureOptions) {
    this.#limitBytes = options.limitBytes > 0 ? options.limitBytes : limitOfContainer();
  }

  start(): void {
    if (this.#limitBytes === undefined) return;
    this.look();
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** How many of so many calls may run at the same time now. */
  allowed(concurrency: number): number {
    return Math.max(1, Math.floor(concurrency * this.#share));
  }

  look(): void {
    if (this.#limitBytes === undefined) return;
    const { logger, readBytes = () => process.memoryUsage.rss() } = this.options;
    const usedBytes = readBytes();
    const share = shareAt(usedBytes / this.#limitBytes);
    const fields = { usedBytes, limitBytes: this.#limitBytes };
    if (share < 1 && this.#share === 1) logger.warn(fields, 'memory is short: fewer calls are taken');
    if (share === 1 && this.#share < 1) logger.info(fields, 'memory is not short any more');
    this.#share = share;
  }
}

function shareAt(used: number): number {
  return Math.min(1, Math.max(0, (PRESSED_TO - used) / (PRESSED_TO - PRESSED_FROM)));
}

function limitOfContainer(): number | undefined {
  const bytes = process.constrainedMemory();
  // Without a limit the kernel says 0, or more than there is.
  return bytes > 0 && bytes < totalmem() ? bytes : undefined;
}
