import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { type ToolCallMessage } from '@skein/contracts';
import { type Logger } from '@skein/platform';
import { SharedJournal } from './shared-journal';
import { type WatchdogData, type WatchdogNews } from './watchdog-news';

const ENTRY = path.join(__dirname, 'watchdog-thread.js');
const BEAT_MS = 500;

export interface LoopWatchdogOptions extends Omit<WatchdogData, 'memory'> {
  readonly logger: Logger;
}

/**
 * Ends this process when a tool blocks its loop for longer than any call that runs in it may take, plus the time after which
 * its messages went to other workers: it would be down for good, and cannot end itself. Its calls stay counted as started, so
 * one that always does it runs out of attempts. It watches from a thread, and blocks within the time of a call it lets be.
 */
export class LoopWatchdog {
  readonly #thread: Worker;
  readonly #journal = new SharedJournal();
  readonly #timer: NodeJS.Timeout;
  #calls = 0;
  #isRead = true;

  constructor({ logger, ...data }: LoopWatchdogOptions) {
    const resourceLimits = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
    this.#thread = new Worker(ENTRY, {
      workerData: { ...data, memory: this.#journal.memory },
      resourceLimits,
    });
    this.#thread.unref();
    // Without it a blocked worker is left to whoever looks at its health.
    this.#thread.on('error', (error) => logger.error({ err: error }, 'nobody watches the loop any more'));
    this.#thread.on('exit', () => (this.#isRead = false));
    this.#timer = setInterval(() => this.#tell({ type: 'beat' }), BEAT_MS).unref();
  }

  /** Runs a call in this thread, known to the watchdog. */
  async during<T>({ call }: ToolCallMessage, work: () => Promise<T>): Promise<T> {
    const id = ++this.#calls;
    const { dispatchId, tool, policy } = call;
    // It can be read even when the tool blocks at once.
    this.#tell({ type: 'begun', id, call: { dispatchId, tool }, timeoutMs: policy.timeoutMs });
    try {
      return await work();
    } finally {
      this.#tell({ type: 'over', id });
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#thread.terminate();
  }

  #tell(news: WatchdogNews): void {
    // What nobody reads any more would only be kept.
    if (this.#isRead) this.#journal.write(news);
  }
}
