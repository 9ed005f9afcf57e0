import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { type AdkError } from '@skein/contracts';
import { describeError } from '@skein/engine';
import Piscina from 'piscina';
import { isolateNewsSchema } from './isolate-messages';
import { exitedError, memoryError, crashedError } from './isolate-failures';
import { IDLE_MS, type IsolatedJob, IsolatePool, type IsolatePoolOptions, WARM } from './isolate-pool';
import { logFromInside } from './log-from-inside';

const ENTRY = path.join(__dirname, 'inside', 'thread-main.js');
/** What the framework itself takes of a heap. */
const OWN_HEAP_MB = 64;
const EXITED = /^worker exited with code: (\d+)$/;

/** Threads. They share the process: its native memory, its file handles, its end by a native abort. */
export class ThreadPool extends IsolatePool {
  /** A thread may be given its first call while it still starts. */
  override readonly patienceSeconds = 30;
  readonly #pool: Piscina;
  readonly #limitBytes: number;

  constructor({ settings, size, logger }: IsolatePoolOptions) {
    super();
    this.#limitBytes = settings.memoryLimitBytes;
    this.#pool = new Piscina({
      filename: ENTRY,
      workerData: settings,
      minThreads: Math.min(WARM, size),
      maxThreads: size,
      idleTimeout: IDLE_MS,
      // A thread that sleeps in Atomics.wait between its calls would run no timer that a call left behind.
      atomics: 'disabled',
      resourceLimits: {
        maxOldGenerationSizeMb: Math.ceil(settings.memoryLimitBytes / 2 ** 20) + OWN_HEAP_MB,
      },
    });
    // Of a thread without a call: the pool replaces it.
    this.#pool.on('error', (error: unknown) => logger.warn({ err: error }, 'a thread for tools ended'));
    this.#pool.on('message', (said: unknown) => {
      const news = isolateNewsSchema.safeParse(said).data;
      if (news?.type === 'log') logFromInside(logger, news);
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
    await this.#pool.destroy();
  }

  #endOf(tool: string, error: unknown): AdkError {
    const said = describeError(error);
    if (error instanceof Error && Reflect.get(error, 'code') === 'ERR_WORKER_OUT_OF_MEMORY')
      return memoryError(tool, this.#limitBytes);
    const exit = EXITED.exec(said);
    return exit ? exitedError(tool, 'thread', Number(exit[1])) : crashedError(tool, said);
  }
}
