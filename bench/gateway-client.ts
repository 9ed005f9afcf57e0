import { Agent, type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';

/** An event as far as the bench looks into it. */
export interface BenchEvent {
  readonly timestamp: number;
  readonly partial?: boolean;
  readonly errorCode?: string;
  readonly content?: {
    readonly parts?: readonly { functionCall?: unknown; functionResponse?: unknown; text?: string }[];
  };
}

/** An event as it came to the client: `atMs` by this process's monotonic clock. */
export interface ShownEvent {
  readonly event: BenchEvent;
  readonly atMs: number;
}

/** Whose turn it is, and what is said. */
export interface Asked {
  readonly appName?: string;
  readonly sessionId: string;
  readonly userId?: string;
  readonly text: string;
}

export interface ShownOptions {
  readonly streaming?: boolean;
  readonly onShown?: (shown: ShownEvent) => void;
}

/** Turns over HTTP with connections kept open; plain node:http, because the client shares the machine. */
export class GatewayClient {
  readonly #agent: Agent;

  constructor(
    private readonly url: string,
    connections: number,
  ) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** One turn of the bench agent; throws when it did not end with its sentence. */
  async turn(sessionId: string, text = 'What is 1 + 2?'): Promise<BenchEvent[]> {
    const answer = await this.#post('/run', bodyOf({ sessionId, text }), textOf);
    // Our own gateway's answer; the check below is what the bench needs of it.
    const events = JSON.parse(answer) as BenchEvent[];
    if (events.at(-1)?.content?.parts?.[0]?.text !== 'The answer is 3.') {
      throw new Error(`the turn did not end as it should: ${JSON.stringify(events)}`);
    }
    return events;
  }

  /** One turn as a stream of events, each with the moment its frame came; throws when one of them is an error. */
  async shown(asked: Asked, options: ShownOptions = {}): Promise<ShownEvent[]> {
    const shown: ShownEvent[] = [];
    const parser = createParser({
      onEvent: ({ data }) => {
        const one = { event: JSON.parse(data) as BenchEvent, atMs: performance.now() };
        shown.push(one);
        options.onShown?.(one);
      },
    });
    await this.#post('/run_sse', bodyOf(asked, options), async (response) => {
      for await (const chunk of response.setEncoding('utf8')) parser.feed(String(chunk));
    });
    const broken = shown.find(({ event }) => event.errorCode !== undefined || !('author' in event));
    if (broken || shown.length === 0)
      throw new Error(`the turn did not end as it should: ${JSON.stringify(broken)}`);
    return shown;
  }

  close(): void {
    this.#agent.destroy();
  }

  #post<T>(path: string, body: string, read: (response: IncomingMessage) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(
        new URL(path, this.url),
        { method: 'POST', agent: this.#agent, headers },
        (response) => {
          if (response.statusCode === 200) return void read(response).then(resolve, reject);
          textOf(response).then((text) => reject(failureOf(response, text)), reject);
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}

/** The gateway has too much to do: it says when to come again. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly retryAfterMs: number,
  ) {
    super(message);
  }
}

/** What is not answered 200. */
export function failureOf({ statusCode, headers }: IncomingMessage, text: string): Error {
  const message = `HTTP ${statusCode}: ${text}`;
  if (statusCode !== 429 && statusCode !== 503) return new Error(message);
  return new Refused(message, 1_000 * Number(headers['retry-after'] ?? 1));
}

export function bodyOf(asked: Asked, more: object = {}): string {
  const { appName = 'bench', sessionId, userId = 'bench', text } = asked;
  const newMessage = { role: 'user', parts: [{ text }] };
  return JSON.stringify({
    appName,
    userId,
    sessionId,
    autoCreateSession: true,
    newMessage,
    ...more,
  });
}

export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer); // Without an encoding it is bytes.
  return Buffer.concat(chunks).toString();
}
