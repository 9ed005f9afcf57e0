import { type AdkError } from '@skein/contracts';
import { crashedError } from './isolate-failures';
import { IDLE_MS, type IsolatedJob, IsolatePool, type IsolatePoolOptions, WARM } from './isolate-pool';
import { ToolProcess } from './tool-process';

interface Waiting {
  readonly take: (found: ToolProcess) => void;
  readonly fail: (error: AdkError) => void;
  readonly tool: string;
}

/** Those that end before they had a call are replaced after so long, and each time after twice as long. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** Processes of their own: whatever a tool does, it does to one of them. */
export class ProcessPool extends IsolatePool {
  override readonly patienceSeconds = 5;
  readonly #all = new Set<ToolProcess>();
  readonly #idle: { readonly found: ToolProcess; readonly timer: NodeJS.Timeout }[] = [];
  readonly #waiting: Waiting[] = [];
  #starting = 0;
  #isClosed = false;
  /** Set while those that ended without a call wait to be replaced. */
  #replacing: NodeJS.Timeout | undefined;
  #replacements = 0;

  constructor(private readonly options: IsolatePoolOptions) {
    super();
    this.#keepWarm();
  }

  override async run(job: IsolatedJob): Promise<unknown> {
    const found = await this.#acquire(job);
    try {
      return await found.run(job);
    } finally {
      this.#replacements = 0;
      this.#release(found);
    }
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#replacing);
    for (const { timer } of this.#idle) clearTimeout(timer);
    for (const found of this.#all) found.leave();
    await Promise.all([...this.#all].map(({ ended }) => ended));
  }

  /** The one that ran last, since its caches are warm; the others end when they have nothing to do. */
  #acquire({ message, kill }: IsolatedJob): Promise<ToolProcess> {
    const idle = this.#idle.pop();
    if (idle) {
      clearTimeout(idle.timer);
      return Promise.resolve(idle.found);
    }
    return new Promise((resolve, reject) => {
      const { tool } = message.call;
      const waiting: Waiting = { take: resolve, fail: reject, tool };
      this.#waiting.push(waiting);
      const leave = (): void => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        reject(crashedError(tool, 'nobody waits for it any more.'));
      };
      if (kill.aborted) leave();
      else kill.addEventListener('abort', leave, { once: true });
      if (this.#starting < this.#waiting.length && this.#all.size < this.options.size) this.#start();
    });
  }

  #release(found: ToolProcess): void {
    if (found.isWorn) found.leave();
    else if (this.#all.has(found)) this.#offer(found);
  }

  #offer(found: ToolProcess): void {
    const waiting = this.#waiting.shift();
    if (waiting) {
      waiting.take(found);
      return;
    }
    const timer = setTimeout(() => this.#retire(found), IDLE_MS).unref();
    this.#idle.push({ found, timer });
  }

  #retire(found: ToolProcess): void {
    const at = this.#idle.findIndex((idle) => idle.found === found);
    if (this.#idle.length <= WARM) {
      this.#idle[at]?.timer.refresh();
      return;
    }
    // No call may get it any more.
    this.#idle.splice(at, 1);
    found.leave();
  }

  #start(): void {
    const started = new ToolProcess(this.options);
    this.#all.add(started);
    this.#starting++;
    let isStarting = true;
    const begun = (): void => {
      if (isStarting) this.#starting--;
      isStarting = false;
    };
    void started.ready.then(() => {
      begun();
      if (this.#all.has(started)) this.#offer(started);
    });
    void started.ended.then(() => {
      const wasStarting = isStarting;
      begun();
      this.#all.delete(started);
      const idle = this.#idle.findIndex(({ found }) => found === started);
      for (const { timer } of idle < 0 ? [] : this.#idle.splice(idle, 1)) clearTimeout(timer);
      if (this.#isClosed) return;
      // One that cannot be started is not started over and over: the next call tries again.
      if (wasStarting) this.#failFirst();
      else if (idle >= 0 && started.isUnused) this.#replaceLater();
      else this.#keepWarm();
    });
  }

  #failFirst(): void {
    const waiting = this.#waiting.shift();
    this.options.logger.error({ tool: waiting?.tool }, 'a process for tools ended before it was ready');
    waiting?.fail(crashedError(waiting.tool, 'the process for it ended before it was ready.'));
  }

  /** As with a memory limit below what it takes to do nothing: at once they would be started without end. */
  #replaceLater(): void {
    if (this.#replacing) return;
    const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#replacements++);
    const { memoryLimitBytes } = this.options.settings;
    this.options.logger.warn({ waitMs, memoryLimitBytes }, 'a process for tools ended before it had a call');
    const replace = (): void => {
      this.#replacing = undefined;
      this.#keepWarm();
    };
    this.#replacing = setTimeout(replace, waitMs).unref();
  }

  #keepWarm(): void {
    const wanted = Math.min(this.options.size, Math.max(WARM, this.#waiting.length));
    while (this.#idle.length + this.#starting < wanted && this.#all.size < this.options.size) this.#start();
  }
}
