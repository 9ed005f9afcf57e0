import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel, MessageChannel } from 'node:worker_threads';
import { type AdkError } from '@skein/contracts';
import { describeError } from '@skein/engine';
import Piscina from 'piscina';
import { oldGenerationMb, YOUNG_GENERATION_MB } from './isolate-heap';
import { isolateNewsSchema } from './isolate-messages';
import { exitedError, memoryError, crashedError } from './isolate-failures';
import {
  CLOSE_MS,
  IDLE_MS,
  type IsolatedJob,
  IsolatePool,
  type IsolatePoolOptions,
  WARM,
} from './isolate-pool';
import { logFromInside } from './log-from-inside';
import { type ThreadData } from './thread-data';

const ENTRY = path.join(__dirname, 'inside', 'thread-main.js');
/** What its toolsets open again, a thread closes earlier: it is not asked when it is ended. */
const REST_MS = IDLE_MS / 2;
const EXITED = /^worker exited with code: (\d+)$/;

/** Threads. They share the process: its native memory, its file handles, its end by a native abort. */
export class ThreadPool extends IsolatePool {
  /** A thread may be given its first call while it still starts. */
  override readonly patienceSeconds = 30;
  readonly #pool: Piscina;
  readonly #limitBytes: number;
  /** Where threads are told to close their toolsets: what is posted to one of them, the pool's own code takes for a task. */
  readonly #leaving: BroadcastChannel;
  #closed: () => void = () => undefined;

  constructor({ settings, size, logger }: IsolatePoolOptions) {
    super();
    this.#limitBytes = settings.memoryLimitBytes;
    const leaving = `leaving-${randomUUID()}`;
    this.#leaving = new BroadcastChannel(leaving);
    this.#pool = new Piscina({
      filename: ENTRY,
      workerData: { settings, leaving, restMs: REST_MS } satisfies ThreadData,
      minThreads: Math.min(WARM, size),
      maxThreads: size,
      idleTimeout: IDLE_MS,
      // A thread that sleeps in Atomics.wait between its calls would run no timer that a call left behind.
      atomics: 'disabled',
      resourceLimits: {
        maxOldGenerationSizeMb: oldGenerationMb(settings.memoryLimitBytes),
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
    });
    // Of a thread without a call: the pool replaces it.
    this.#pool.on('error', (error: unknown) => logger.warn({ err: error }, 'a thread for tools ended'));
    this.#pool.on('message', (said: unknown) => {
      const news = isolateNewsSchema.safeParse(said).data;
      if (news?.type === 'log') logFromInside(logger, news);
      if (news?.type === 'closed') this.#closed();
    });
  }

  override async run({ message, given, heard, kill }: IsolatedJob): Promise<unknown> {
    const { port1: ours, port2: theirs } = new MessageChannel();
    ours.on('message', heard);
    const task = {
      port: theirs,
      // Read when a thread is found and the task is posted to it, of which the pool tells nobody.
      get message() {
        given((order) => ours.postMessage(order));
        return message;
      },
    };
    try {
      return await this.#pool.run(task, { transferList: [theirs], signal: kill });
    } catch (error) {
      throw this.#endOf(message.call.tool, error);
    } finally {
      ours.close();
    }
  }

  override async close(): Promise<void> {
    await Promise.race([this.#closeToolsets(), delay(CLOSE_MS, undefined, { ref: false })]);
    this.#leaving.close();
    await this.#pool.destroy();
  }

  /** Settles once each thread says so; one that is blocked does not. */
  async #closeToolsets(): Promise<void> {
    let left = this.#pool.threads.length;
    if (left === 0) return;
    const closed = new Promise<void>((resolve) => {
      this.#closed = () => (--left === 0 ? resolve() : undefined);
    });
    this.#leaving.postMessage('close');
    await closed;
  }

  #endOf(tool: string, error: unknown): AdkError {
    const said = describeError(error);
    if (error instanceof Error && Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY')
      return memoryError(tool, this.#limitBytes);
    const exit = EXITED.exec(said);
    return exit ? exitedError(tool, 'thread', Number(exit[1])) : crashedError(tool, said);
  }
}
