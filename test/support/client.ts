import { type Content, type Event, type Session } from '@skein/contracts';
import { createParser } from 'eventsource-parser';

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface SseFrame {
  readonly id: string | undefined;
  readonly data: Event & { readonly error?: string };
}

/** What a user says: a text, or a whole content; nothing when an invocation is only to go on. */
export type Message = string | Content | undefined;

/** What an official ADK client sends and reads, over real HTTP. */
export class Client {
  constructor(
    readonly url: string,
    private readonly app: string,
    private readonly user = 'ada',
  ) {}

  sessionPath(sessionId: string): string {
    const [app, user, session] = [this.app, this.user, sessionId].map(encodeURIComponent);
    return `/apps/${app}/users/${user}/sessions/${session}`;
  }

  async request<T>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(this.url + path, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
    });
    const text = await response.text();
    // The test's own expectations check the shape.
    return {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : undefined) as T,
    };
  }

  async createSession(sessionId: string, state: Record<string, unknown> = {}): Promise<Session> {
    return (await this.request<Session>('POST', this.sessionPath(sessionId), state)).body;
  }

  async getSession(sessionId: string): Promise<Session> {
    return (await this.request<Session>('GET', this.sessionPath(sessionId))).body;
  }

  async patchSession(
    sessionId: string,
    stateDelta: Readonly<Record<string, unknown>>,
  ): Promise<Answer<Session>> {
    return this.request<Session>('PATCH', this.sessionPath(sessionId), { stateDelta });
  }

  async rewind(sessionId: string, rewindBeforeInvocationId: string): Promise<Answer<Session>> {
    return this.request<Session>('POST', `${this.sessionPath(sessionId)}/rewind`, {
      rewindBeforeInvocationId,
    });
  }

  async addToMemory(sessionId: string): Promise<Answer<null>> {
    const [app, user] = [this.app, this.user].map(encodeURIComponent);
    return this.request<null>('PATCH', `/apps/${app}/users/${user}/memory`, { sessionId });
  }

  run(
    sessionId: string,
    message: Message,
    more: Readonly<Record<string, unknown>> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer<Event[]>> {
    return this.request<Event[]>('POST', '/run', this.#runBody(sessionId, message, more), headers);
  }

  /** All frames of one stream, in order, once it is closed by the server; `onFrame` has each as it comes. */
  async runSse(
    sessionId: string,
    message: Message,
    more: Readonly<Record<string, unknown>> = {},
    onFrame: (frame: SseFrame) => void = () => undefined,
  ): Promise<SseFrame[]> {
    const response = await fetch(`${this.url}/run_sse`, {
      method: 'POST',
      body: JSON.stringify(this.#runBody(sessionId, message, { streaming: true, ...more })),
      headers: { 'content-type': 'application/json' },
    });
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
    const frames: SseFrame[] = [];
    const parser = createParser({
      onEvent: ({ id, data }) => {
        const frame = { id, data: JSON.parse(data) as SseFrame['data'] };
        frames.push(frame);
        onFrame(frame);
      },
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body)
      parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    return frames;
  }

  #runBody(sessionId: string, message: Message, more: Readonly<Record<string, unknown>>): unknown {
    return {
      appName: this.app,
      userId: this.user,
      sessionId,
      newMessage: typeof message === 'string' ? { role: 'user', parts: [{ text: message }] } : message,
      ...more,
    };
  }
}

/** The text of an event's parts, joined. */
export function textOf(event: Event | undefined): string {
  return (event?.content?.parts ?? []).map((part) => part.text ?? '').join('');
}
