import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Known, type Heard, type ProviderDialect, type ProviderRequest } from './provider-dialect';
import { type Behaviour, play } from './behaviour';

export interface ReceivedRequest extends ProviderRequest {
  readonly isStreamed: boolean;
  /** Settled once the answer was sent or the client was gone. */
  readonly ended: Promise<'answered' | 'left'>;
}

/**
 * A provider's API in this process: checks key, address and every field of a request, then behaves as the test queued.
 * What it refuses by itself takes nothing from the queue.
 */
export class ProviderServer implements Known {
  /** Requests that were in order. */
  readonly received: ReceivedRequest[] = [];
  /** Sentences of what it refused by itself. */
  readonly refused: string[] = [];
  /** For requests that nothing is queued for; one that takes its time makes the client wait for it. */
  otherwise: (request: ReceivedRequest) => Behaviour | Promise<Behaviour> = () => ({
    refuses: 'bad-request',
    message: 'The test queued no answer for this request.',
  });
  readonly #queue: Behaviour[] = [];

  private constructor(
    private readonly server: Server,
    readonly dialect: ProviderDialect,
    readonly model: string,
    readonly apiKey: string,
  ) {}

  /** Listens on a free port of 127.0.0.1. */
  static async start(
    dialect: ProviderDialect,
    model: string,
    apiKey = 'test-key-0123456789-abcdef',
  ): Promise<ProviderServer> {
    const server = createServer();
    const provider = new ProviderServer(server, dialect, model, apiKey);
    server.on('request', (request, response) => void provider.#serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return provider;
  }

  get baseUrl(): string {
    const { port } = this.server.address() as AddressInfo; // A TCP server that listens has this form.
    return `http://127.0.0.1:${port}${this.dialect.basePath ?? ''}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** One behaviour for each request to come. */
  queue(...behaviours: readonly Behaviour[]): void {
    this.#queue.push(...behaviours);
  }

  /** Behaviours that no request came for. */
  get left(): number {
    return this.#queue.length;
  }

  /** The requests in no provider's words. */
  get heard(): readonly Heard[] {
    return this.received.map((request) => this.dialect.hear(request));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await read(message);
    if (!request) return; // The client is gone, and nobody waits for an answer.
    const refusal = this.dialect.check(request, this);
    if (refusal) {
      this.refused.push(refusal.message ?? refusal.kind);
      const { status, body } = this.dialect.refuse(refusal);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return;
    }
    const isStreamed = this.dialect.isStreamed(request);
    const ended = once(response, 'close').then(() => (response.writableFinished ? 'answered' : 'left'));
    const received: ReceivedRequest = { ...request, isStreamed, ended };
    this.received.push(received);
    await play(this.#queue.shift() ?? (await this.otherwise(received)), {
      response,
      isStreamed,
      server: this,
    });
  }
}

async function read(message: IncomingMessage): Promise<ProviderRequest | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch {
    return undefined;
  }
  const [path = '', query = ''] = (message.url ?? '').split('?');
  return {
    method: message.method ?? '',
    path,
    query: new URLSearchParams(query),
    headers: message.headers,
    body: parsed(Buffer.concat(chunks).toString()),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
