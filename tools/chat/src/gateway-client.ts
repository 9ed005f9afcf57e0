import { z } from 'zod';
import { ChatError } from './chat-error';
import { readFrames } from './read-frames';
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
}

/** The gateway, as one user of one app sees it. Every failure is a ChatError with one sentence. */
export class GatewayClient {
  readonly #sessions: string;

  constructor(
    private readonly url: string,
    private readonly app: string,
    private readonly user: string,
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

  /** Sends one message and yields the answer's frames while they are made. */
  async *run({ session, message, signal }: Turn): AsyncGenerator<WireFrame> {
    const { parts, ...whichCalls } = message;
    const response = await this.#request('/run_sse', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        appName: this.app,
        userId: this.user,
        sessionId: session,
        newMessage: { role: 'user', parts },
        ...whichCalls,
        streaming: true,
      }),
      signal,
    });
    if (response.body === null) return;
    try {
      yield* readFrames(response.body);
    } catch (cause) {
      if (signal.aborted) throw cause;
      throw new ChatError(`The answer from ${this.url} broke off in the middle`, { cause });
    }
  }

  async #request(path: string, init: RequestInit = {}): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(new URL(path, this.url), init);
    } catch (cause) {
      if (init.signal?.aborted) throw cause;
      throw new ChatError(`Nothing answers at ${this.url}: is the stack running?`, { cause });
    }
    if (!response.ok) throw new ChatError(await refusalOf(response));
    return response;
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
