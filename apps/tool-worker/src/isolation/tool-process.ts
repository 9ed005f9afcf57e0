import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type AdkError } from '@skein/contracts';
import { MEMORY_NOTE } from './guard-note';
import { crashedError, exitedError, memoryError } from './isolate-failures';
import { oldGenerationMb, SEMI_SPACE_MB } from './isolate-heap';
import { type IsolateNews, isolateNewsSchema, type IsolateOrder } from './isolate-messages';
import { CLOSE_MS, type IsolatedJob, type IsolatePoolOptions } from './isolate-pool';
import { logFromInside } from './log-from-inside';

const ENTRY = path.join(__dirname, 'inside', 'process-main.js');
const HEAP_IS_FULL = 'heap out of memory';
/** What an ended process left in its pipes is read for so long; who holds them open beyond that is not waited for. */
const DRAIN_MS = 500;
/** Of what a process writes to its streams, as much of a line goes to the log. */
const MAX_LINE_LENGTH = 2_000;

interface Current {
  /** What it and its process call it, so that neither takes what is of an earlier call for its. */
  readonly number: number;
  readonly job: IsolatedJob;
  readonly done: (executed: unknown) => void;
  readonly failed: (error: AdkError) => void;
}

/** A process that runs calls, one at a time, until it is worn or ended. */
export class ToolProcess {
  readonly #child: ChildProcess;
  readonly #options: IsolatePoolOptions;
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  /** It takes no other call: it is to end, or holds too much. */
  isWorn = false;
  #current: Current | undefined;
  #calls = 0;
  #isGone = false;
  #isReady: () => void = () => undefined;
  #isOutOfMemory = false;

  constructor(options: IsolatePoolOptions) {
    this.#options = options;
    const { settings } = options;
    this.#child = fork(ENTRY, [], {
      // A group of its own, which is ended as one: the programs that a tool started with it.
      detached: true,
      execArgv: [
        ...process.execArgv,
        `--max-old-space-size=${oldGenerationMb(settings.memoryLimitBytes)}`,
        `--max-semi-space-size=${SEMI_SPACE_MB}`,
      ],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    });
    this.ready = new Promise((resolve) => (this.#isReady = resolve));
    this.ended = this.#untilEnded();
    this.#child.on('error', (error) =>
      options.logger.warn({ err: error }, 'a process for tools has a fault'),
    );
    this.#child.on('message', (said) => this.#hear(said));
    this.#readStreams();
    this.#send({ type: 'settings', settings });
  }

  /** It never had a call. */
  get isUnused(): boolean {
    return this.#calls === 0;
  }

  /** Settles as `IsolatePool.run` does. The process takes no other call meanwhile. */
  async run(job: IsolatedJob): Promise<unknown> {
    const kill = (): void => this.kill();
    if (job.kill.aborted) kill();
    job.kill.addEventListener('abort', kill, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        const number = ++this.#calls;
        this.#current = { number, job, done: resolve, failed: reject };
        this.#send({ type: 'call', number, message: job.message });
        job.given((order) => this.#send({ type: 'order', number, order }));
      });
    } finally {
      this.#current = undefined;
      job.kill.removeEventListener('abort', kill);
    }
  }

  /** Ends it once its toolsets are closed, at once while a call runs there. It takes no other one. */
  leave(): void {
    if (this.#current) {
      this.kill();
      return;
    }
    this.isWorn = true;
    this.#send({ type: 'leave' });
    const timer = setTimeout(() => this.kill(), CLOSE_MS);
    void this.ended.then(() => clearTimeout(timer));
  }

  /** Ends it and what it started. It takes no other call. */
  kill(): void {
    this.isWorn = true;
    const { pid } = this.#child;
    // The number of one that is gone may be another's.
    if (pid !== undefined && !this.#isGone) killGroup(pid);
  }

  /** 'close' comes after the pipes were read to their ends, so that it is known why; a program that left the group may hold them. */
  async #untilEnded(): Promise<void> {
    const child = this.#child;
    const closed = once(child, 'close');
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await Promise.race([exited, closed]);
    this.kill();
    this.#isGone = true;
    // Of one without a call nobody asks why.
    if (this.#current) await Promise.race([closed, delay(DRAIN_MS)]);
    for (const stream of child.stdio) stream?.destroy();
    this.#end(child.exitCode, child.signalCode);
  }

  #hear(said: unknown): void {
    const heard = isolateNewsSchema.safeParse(said).data;
    if (heard) this.#take(heard);
    else this.#options.logger.warn({ pid: this.#child.pid }, 'a process for tools said what is no message');
  }

  #take(news: IsolateNews): void {
    switch (news.type) {
      case 'ready':
        this.#isReady();
        return;
      case 'log':
        logFromInside(this.#options.logger, news);
        return;
      case 'news':
        if (news.number === this.#current?.number) this.#current.job.heard(news.news);
        return;
      case 'done':
        if (news.number !== this.#current?.number) return;
        this.isWorn ||= news.isWorn;
        this.#current.done(news.executed);
        return;
      case 'closed': // Of threads: a process ends with it.
    }
  }

  #readStreams(): void {
    const [, stdout, stderr, , notes] = this.#child.stdio;
    for (const [source, stream] of Object.entries({ stdout, stderr })) {
      onText(stream, (text) => {
        if (text.includes(HEAP_IS_FULL)) this.#isOutOfMemory = true;
        this.#options.logger.info({ source, pid: this.#child.pid }, text.slice(0, MAX_LINE_LENGTH));
      });
    }
    onText(notes, (text) => {
      if (text.includes(MEMORY_NOTE)) this.#isOutOfMemory = true;
    });
  }

  #end(code: number | null, signal: NodeJS.Signals | null): void {
    if (!this.#current) return;
    const { job, failed } = this.#current;
    const { tool } = job.message.call;
    if (this.#isOutOfMemory) failed(memoryError(tool, this.#options.settings.memoryLimitBytes));
    else if (signal === null) failed(exitedError(tool, 'process', code ?? 0));
    else failed(crashedError(tool, `its process was ended by ${signal}.`));
  }

  #send(order: IsolateOrder): void {
    // One that is gone is told of by 'close'.
    if (this.#child.connected) this.#child.send(order, () => undefined);
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it has ended by itself.
  }
}

function onText(stream: unknown, hear: (text: string) => void): void {
  // Of the kinds a child's stdio may be, `pipe` makes this one.
  (stream as Readable | null)?.on('data', (chunk: Buffer) => hear(chunk.toString()));
}
