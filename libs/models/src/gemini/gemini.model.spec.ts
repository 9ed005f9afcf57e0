import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { LLMRegistry } from '@skein/engine';
import { collect, saying } from '@skein/testing';
import { configureModels } from '../registry/configure-models';
import { Gemini } from './gemini.model';

const apiKey = 'secret-key-1';

interface Received {
  readonly url: string;
  readonly key: string | undefined;
  readonly body: unknown;
}

/** A stand-in for the Gemini API: notes what it was asked and lets the test answer. */
class GeminiServer {
  readonly received: Received[] = [];
  answer: (response: ServerResponse) => void = (response) => response.end('{}');
  readonly #server: Server = createServer((request, response) => void this.#take(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks = await collect(request as AsyncIterable<Buffer>);
    this.received.push({
      url: request.url ?? '',
      key: request.headers['x-goog-api-key']?.toString(),
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    this.answer(response);
  }
}

describe('Gemini', () => {
  let server: GeminiServer;

  beforeEach(async () => {
    server = new GeminiServer();
    configureModels({ apiKeys: { gemini: apiKey }, baseUrls: { gemini: await server.start() } });
  });
  afterEach(async () => {
    configureModels({});
    await server.stop();
  });

  it('is found by name, and asks with the key it was configured with', async () => {
    server.answer = json(200, { candidates: [candidate('Hello.', 'STOP')], modelVersion: 'v1' });

    const answers = await ask();

    expect(answers).toEqual([
      {
        content: { role: 'model', parts: [{ text: 'Hello.' }] },
        finishReason: 'STOP',
        modelVersion: 'v1',
      },
    ]);
    expect(server.received).toEqual([
      {
        url: '/v1beta/models/gemini-2.5-flash:generateContent',
        key: apiKey,
        body: expect.objectContaining({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
      },
    ]);
  });

  it('gives chunks as partial answers, then the whole answer (B17)', async () => {
    server.answer = sse([
      { candidates: [candidate('One')] },
      { candidates: [candidate(' two')] },
      { candidates: [candidate('.', 'STOP')], usageMetadata: { totalTokenCount: 7 } },
    ]);

    const answers = await ask(true);

    expect(server.received[0]?.url).toBe('/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
    expect(answers.map(({ partial, content }) => [partial, content?.parts?.[0]?.text])).toEqual([
      [true, 'One'],
      [true, ' two'],
      [true, '.'],
      [undefined, 'One two.'],
    ]);
    expect(answers.at(-1)).toMatchObject({ finishReason: 'STOP', usageMetadata: { totalTokenCount: 7 } });
  });

  it('throws what the provider said, never the key', async () => {
    const message = `API key not valid: ${apiKey}.`;
    server.answer = json(400, { error: { code: 400, message, status: 'INVALID_ARGUMENT' } });

    const failure = ask();

    await expect(failure).rejects.toMatchObject({
      name: 'ClientError',
      message: 'API key not valid: [key].',
    });
  });

  it('names a failure of the provider ServerError', async () => {
    server.answer = json(503, { error: { code: 503, message: 'Overloaded.' } });

    await expect(ask(true)).rejects.toMatchObject({ name: 'ServerError', message: 'Overloaded.' });
  });

  it('says which variable to set when there is no key', async () => {
    configureModels({});

    await expect(ask()).rejects.toThrow('set GOOGLE_API_KEY or GEMINI_API_KEY');
  });

  it('ends a stream that hangs when it is aborted', async () => {
    const controller = new AbortController();
    server.answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(frame({ candidates: [candidate('One')] }));
    };

    const stream = new Gemini({ model: 'gemini-2.5-flash' }).generateContentAsync(
      saying('hi'),
      true,
      controller.signal,
    );
    await stream.next();
    controller.abort(new Error('cancelled'));

    await expect(stream.next()).rejects.toThrow('cancelled');
  });
});

async function ask(stream = false) {
  const request = { ...saying('hi'), model: 'gemini-2.5-flash' };
  return collect(LLMRegistry.newLlm('gemini-2.5-flash').generateContentAsync(request, stream));
}

function candidate(text: string, finishReason?: string) {
  return { content: { role: 'model', parts: [{ text }] }, ...(finishReason ? { finishReason } : {}) };
}

function json(status: number, body: unknown) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

function sse(chunks: readonly unknown[]) {
  return (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(chunks.map(frame).join(''));
  };
}

function frame(chunk: unknown): string {
  return `data: ${JSON.stringify(chunk)}\r\n\r\n`;
}
