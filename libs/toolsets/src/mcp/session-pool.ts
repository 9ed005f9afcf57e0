import { AdkError } from '@skein/contracts';
import { mcpError } from './mcp-error';
import { type McpSession } from './mcp-session';
import { SessionLost } from './session-lost';

export interface PoolOptions {
  /** Sessions at the same time: one for each set of headers. */
  readonly maxSessions: number;
  /** One that nobody used for so long is closed. */
  readonly idleMs: number;
}

/** A session while somebody uses it. */
export interface Lease {
  readonly session: McpSession;
  readonly release: () => void;
}

interface Entry {
  readonly key: string;
  readonly opening: Promise<McpSession>;
  users: number;
  idleTimer?: NodeJS.Timeout;
}

export type OpenSession = () => Promise<McpSession>;

/** Sessions by key, each shared by all who use it at the same time; a lost one is opened again by who comes next. */
export class SessionPool {
  readonly #entries = new Map<string, Entry>();
  /** Taken out of the pool, and still used. */
  readonly #leaving = new Set<Entry>();
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly options: PoolOptions) {}

  /**
   * Runs a function with the session of a key, once more with a new one where the session turned out to be lost before
   * it had any effect. Rejects with what `open` or the function rejects with.
   */
  async use<T>(
    key: string,
    open: OpenSession,
    work: (session: McpSession) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    for (let isRepeated = false; ; isRepeated = true) {
      const { session, release } = await this.lease(key, open, signal);
      try {
        return await work(session);
      } catch (error) {
        if (!(error instanceof SessionLost)) throw error;
        if (isRepeated) throw mcpError(error, session.server);
      } finally {
        release();
      }
    }
  }

  async lease(key: string, open: OpenSession, signal?: AbortSignal): Promise<Lease> {
    for (;;) {
      const entry = this.#entries.get(key) ?? (await this.#newEntry(key, open, signal));
      const release = this.#hold(entry);
      try {
        // Whoever opens it goes on for the others when one of them is cancelled.
        const session = await untilAborted(entry.opening, signal);
        if (session.isUsable) return { session, release };
        this.#remove(entry);
        release();
      } catch (error) {
        release();
        throw error;
      }
    }
  }

  /** Those that are open now. */
  async sessions(): Promise<McpSession[]> {
    const opened = await Promise.allSettled([...this.#entries.values()].map(({ opening }) => opening));
    return opened.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  }

  /** Closes all; requests that wait reject. The pool may be used again. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values(), ...this.#leaving];
    this.#entries.clear();
    this.#leaving.clear();
    for (const { idleTimer } of entries) clearTimeout(idleTimer);
    await Promise.all(entries.map(closeEntry));
    this.#wake();
  }

  async #newEntry(key: string, open: OpenSession, signal?: AbortSignal): Promise<Entry> {
    while (this.#entries.size >= this.options.maxSessions) {
      const idle = [...this.#entries.values()].find(({ users }) => users === 0);
      if (idle) this.#remove(idle);
      else await untilAborted(new Promise<void>((resolve) => this.#waiting.push(resolve)), signal);
      const known = this.#entries.get(key);
      if (known) return known;
    }
    const entry: Entry = { key, opening: open(), users: 0 };
    this.#entries.set(key, entry);
    entry.opening.catch(() => this.#remove(entry));
    return entry;
  }

  #hold(entry: Entry): () => void {
    clearTimeout(entry.idleTimer);
    entry.users += 1;
    // Used last, closed last.
    if (this.#entries.delete(entry.key)) this.#entries.set(entry.key, entry);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      entry.users -= 1;
      if (entry.users === 0) this.#rest(entry);
    };
  }

  #rest(entry: Entry): void {
    if (this.#entries.get(entry.key) === entry) {
      entry.idleTimer = setTimeout(() => this.#remove(entry), this.options.idleMs).unref();
    } else if (this.#leaving.delete(entry)) {
      void closeEntry(entry);
    }
    this.#wake();
  }

  /** Nobody gets it any more; it is closed once nobody uses it. */
  #remove(entry: Entry): void {
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
    clearTimeout(entry.idleTimer);
    if (entry.users > 0) this.#leaving.add(entry);
    else void closeEntry(entry);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

async function closeEntry({ opening }: Entry): Promise<void> {
  const session = await opening.catch(() => undefined);
  await session?.close();
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  if (signal.aborted) throw givenUp(signal);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = (): void => reject(givenUp(signal));
    signal.addEventListener('abort', abort, { once: true });
    stop = () => signal.removeEventListener('abort', abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
  }
}

function givenUp({ reason }: AbortSignal): AdkError {
  const cause: unknown = reason;
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    return new AdkError(
      'unavailable',
      'mcp.unavailable',
      'No session with the MCP server was free in time.',
      {
        cause,
      },
    );
  }
  const message = 'The call was given up before its MCP server was ready.';
  return new AdkError('cancelled', 'mcp.cancelled', message, { cause });
}
