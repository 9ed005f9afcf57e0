import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ChatError, PassingError } from './chat-error';
import { followTurn, type Patience } from './follow-turn';
import { wireSession, type WireFrame, type WireSession } from './wire-event';

/** What the user says: words, or answers to the calls of the named event. */
export interface Message {
  readonly parts: readonly object[];
  readonly functionCallEventId?: string;
}

export interface Turn {
  readonly session: string;
  readonly message: Message;
  readonly signal: AbortSignal;
  /** Told once, when the gateway is away and is waited for. */
  readonly onWaiting?: (sentence: string) => void;
}

/** A stack starts a service that died anew in seconds; another gateway may take longer to be found. */
const PATIENCE: Patience = { forMs: 60_000, pauseMs: 1_000 };
/** What a gateway, or a proxy before it, says when another try may do. */
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);

/** The gateway, as one user of one app sees it. Every failure is a ChatError with one sentence. */
export class GatewayClient {
  readonly #sessions: string;

  constructor(
    private readonly url: string,
    private readonly app: string,
    private readonly user: string,
    private readonly patience = PATIENCE,
  ) {
    this.#sessions = `/apps/${encodeURIComponent(app)}/users/${encodeURIComponent(user)}/sessions`;
  }

  async listApps(): Promise<readonly string[]> {
    const response = await this.#request('/list-apps');
    return z.array(z.string()).parse(await response.json());
  }

  async createSession(): Promise<WireSession> {
    const response = await this.#request(this.#sessions, { method: 'POST' });
    return wireSession.parse(await response.json());
  }

  /** The session with its events; throws the server's sentence when there is none. */
  async getSession(id: string): Promise<WireSession> {
    const response = await this.#request(`${this.#sessions}/${encodeURIComponent(id)}`);
    return wireSession.parse(await response.json());
  }

  /** Sends one message, once, and yields the answer's frames while they are made, also over broken connections. */
  run({ session, message, signal, onWaiting = () => undefined }: Turn): AsyncGenerator<WireFrame> {
    const { parts, ...whichCalls } = message;
    const body = JSON.stringify({
      appName: this.app,
      userId: this.user,
      sessionId: session,
      newMessage: { role: 'user', parts },
      ...whichCalls,
      streaming: true,
    });
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const open = (lastSeen: string | undefined): Promise<Response> =>
      this.#request('/run_sse?resume=1', {
        method: 'POST',
        headers: lastSeen === undefined ? headers : { ...headers, 'last-event-id': lastSeen },
        body,
        signal,
      });
    return followTurn({ open, onWaiting, signal, patience: this.patience });
  }

  async #request(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(new URL(path, this.url), init);
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      throw new PassingError(`Nothing answers at ${this.url}: is the stack running?`, { cause });
    }
    if (response.ok) return response;
    const sentence = await refusalOf(response);
    throw PASSING.has(response.status)
      ? new PassingError(sentence, {}, retryAfterMs(response))
      : new ChatError(sentence);
  }
}

const refusal = z.looseObject({ detail: z.unknown().optional(), error: z.unknown().optional() });

/** The server's own sentence, where it sent one. */
async function refusalOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const { detail, error } = refusal.parse(JSON.parse(text));
    const sentence = typeof detail === 'string' ? detail : error;
    if (typeof sentence === 'string') return `${sentence} (${response.status})`;
  } catch {
    // Not our gateway, or a proxy before it: the status and the beginning of the text must do.
  }
  return `The server answered ${response.status}: ${text.slice(0, 200)}`;
}

function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = headers.get('retry-after') ?? '';
  return /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
