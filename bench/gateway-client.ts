import { Agent, request } from 'node:http';

/** An event as far as the bench looks into it. */
export interface BenchEvent {
  readonly timestamp: number;
  readonly content?: {
    readonly parts?: readonly { functionCall?: unknown; functionResponse?: unknown; text?: string }[];
  };
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
    const body = JSON.stringify({
      appName: 'bench',
      userId: 'bench',
      sessionId,
      autoCreateSession: true,
      newMessage: { role: 'user', parts: [{ text }] },
    });
    // Our own gateway's answer; the check below is what the bench needs of it.
    const events = JSON.parse(await this.#post('/run', body)) as BenchEvent[];
    if (events.at(-1)?.content?.parts?.[0]?.text !== 'The answer is 3.') {
      throw new Error(`the turn did not end as it should: ${JSON.stringify(events)}`);
    }
    return events;
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(path: string, body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(
        new URL(path, this.url),
        { method: 'POST', agent: this.#agent, headers },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (response.statusCode === 200) resolve(text);
            else reject(new Error(`HTTP ${response.statusCode}: ${text}`));
          });
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
  }
}
