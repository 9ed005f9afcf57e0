import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

type Fault = (response: ServerResponse, nth: number) => void;

const FINE = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Fine.' }] }, finishReason: 'STOP' }],
};

/** What the vendor does, by what the user said. */
const faults: Readonly<Record<string, Fault>> = {
  calm: (response) => fine(response),
  'storm twice': (response, nth) => (nth <= 2 ? refuse(response, 429) : fine(response)),
  storm: (response) => refuse(response, 429),
  overloaded: (response) => refuse(response, 529),
  hang: () => undefined,
  'hang once': (response, nth) => (nth > 1 ? fine(response) : undefined),
  'hang in the middle': (response) => begin(response),
  truncated: (response) => {
    begin(response);
    response.socket?.destroy();
  },
  'bad json': (response) => response.writeHead(200, JSON_TYPE).end('{"candidates": [{"cont'),
};

const JSON_TYPE = { 'content-type': 'application/json' };

/** A provider of models over HTTP, in Gemini's form, that fails as it is told. */
export class FakeVendor {
  /** How often each was asked. */
  readonly requests = new Map<string, number>();

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<FakeVendor> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // A TCP server that listens has this form.
    const vendor = new FakeVendor(`http://127.0.0.1:${port}`, async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });
    server.on('request', (request, response) => void vendor.#answer(request, response));
    return vendor;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const said = lastText(await bodyOf(request));
    const nth = (this.requests.get(said) ?? 0) + 1;
    this.requests.set(said, nth);
    (faults[said] ?? fine)(response, nth);
  }
}

function fine(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(FINE)}\n\n`);
}

function begin(response: ServerResponse): void {
  const chunk = { candidates: [{ content: { role: 'model', parts: [{ text: 'Fi' }] } }] };
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function refuse(response: ServerResponse, status: number): void {
  response
    .writeHead(status, JSON_TYPE)
    .end(JSON.stringify({ error: { code: status, message: `status ${status}` } }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function lastText(body: string): string {
  const { contents } = JSON.parse(body) as { contents: { parts: { text?: string }[] }[] }; // Gemini's own form.
  return contents.at(-1)?.parts.at(-1)?.text ?? '';
}
