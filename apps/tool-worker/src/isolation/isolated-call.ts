import { AdkError } from '@skein/contracts';
import { type ServicesOfCall } from '../catalog/loaded-tool-catalog';
import { type IsolatedAttempt } from '../catalog/tool-catalog';
import { type ExecutedTool } from '../calls/tool-outcome';
import {
  type CallOrder,
  callNewsSchema,
  executedToolSchema,
  SERVICE_METHODS,
  type ServiceRequest,
} from './isolate-messages';
import { crashedError } from './isolate-failures';
import { type IsolatePool } from './isolate-pool';
import { UntilTaken } from './until-taken';

/** What a tool that was told to end may still do before its thread or process is ended. */
const GRACE_MS = 2_000;

/** One call in a thread or a process, as the worker sees it: what the tool asks for is answered, what it tells is told. */
export class IsolatedCall {
  readonly #kill = new AbortController();
  #order: (order: CallOrder) => void = () => undefined;
  #hasBegun = false;
  /** What it threw outside of its promise, which says more than how its thread or process ended. */
  #crash: string | undefined;

  constructor(
    private readonly attempt: IsolatedAttempt,
    private readonly services: ReturnType<ServicesOfCall>,
  ) {}

  /** Rejects with a `tool.*` error of how the thread or process ended before the call was done. */
  async run(pool: IsolatePool): Promise<ExecutedTool> {
    const { message, signal } = this.attempt;
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      // Nothing of it has run yet, and nothing shall: it waits for its turn, or for its tool to be found.
      if (!this.#hasBegun) {
        this.#kill.abort();
        return;
      }
      this.#order({ type: 'abort', reason: nameOf(signal.reason) });
      timer = setTimeout(() => this.#kill.abort(), GRACE_MS);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      return executedToolSchema.parse(await this.#runTaken(pool));
    } catch (error) {
      throw this.#crash === undefined ? error : crashedError(message.call.tool, this.#crash);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  /** What an earlier call left running may block the thread or process: that is ended, and another one runs the call. */
  async #runTaken(pool: IsolatePool): Promise<unknown> {
    // Longer each time, since it may be the machine that is slow.
    for (let seconds = pool.patienceSeconds; ; seconds *= 2) {
      const untilTaken = new UntilTaken(seconds);
      try {
        return await pool.run({
          message: this.attempt.message,
          kill: AbortSignal.any([this.#kill.signal, untilTaken.signal]),
          given: (order) => {
            this.#order = order;
            untilTaken.given();
          },
          heard: (said) => {
            untilTaken.clear();
            this.#hear(said);
          },
        });
      } catch (error) {
        if (!untilTaken.signal.aborted || this.#kill.signal.aborted) throw error;
      } finally {
        untilTaken.clear();
      }
    }
  }

  #hear(said: unknown): void {
    const news = callNewsSchema.safeParse(said).data;
    switch (news?.type) {
      case 'taken':
        return;
      case 'begun':
        this.#hasBegun = true;
        this.attempt.begun();
        return;
      case 'progress':
        this.attempt.reporter.progress(news.value);
        return;
      case 'heartbeat':
        this.attempt.reporter.heartbeat();
        return;
      case 'crashed':
        this.#crash = news.message;
        return;
      case 'request':
        void this.#answer(news);
        return;
      case undefined: // Not one of ours: code of an author's shares the other end.
        return;
    }
  }

  async #answer({ id, service, method, argument }: ServiceRequest): Promise<void> {
    try {
      this.#order({ type: 'reply', id, value: await this.#ask(service, method, argument) });
    } catch (error) {
      this.#order({ type: 'refusal', id, error: AdkError.from(error).toWire() });
    }
  }

  async #ask(service: ServiceRequest['service'], method: string, argument: unknown): Promise<unknown> {
    const known: readonly string[] = SERVICE_METHODS[service];
    const { artifactService, memoryService } = this.services;
    const port = service === 'artifacts' ? artifactService : memoryService;
    const called: unknown = port && known.includes(method) ? Reflect.get(port, method) : undefined;
    if (typeof called !== 'function')
      throw new AdkError('invalid', 'tool.bad-request', `No ${method} in ${service}.`);
    return Reflect.apply(called, port, [argument]);
  }
}

function nameOf(reason: unknown): string {
  return reason instanceof DOMException ? reason.name : 'AbortError';
}
