import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { collect } from '@skein/testing';
import { Attempt } from './attempt';

const CONNECT_MS = 30_000;
const IDLE_MS = 10_000;

describe('Attempt', () => {
  let begun: ServerResponse[] = [];
  const server = createServer((_request, response) => begun.push(response));
  let url = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  // The attempt's timers alone go by this clock; the bytes between it and the server take what they take.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
  afterEach(() => {
    jest.useRealTimers();
    begun = [];
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** An attempt under way, whose answer's bytes are no pieces of their own. */
  function anAttempt() {
    const limits = { connectTimeoutMs: CONNECT_MS, idleTimeoutMs: IDLE_MS };
    const attempt = new Attempt(new AbortController().signal, limits);
    const read: string[] = [];
    const wholeBody = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
      for await (const bytes of body) read.push(Buffer.from(bytes).toString());
      yield read.join('');
    };
    const heard = collect(
      attempt.listen(async () => {
        const { body } = await attempt.fetch(url, { signal: attempt.signal });
        if (!body) throw new Error('an answer without a body');
        return wholeBody(body);
      }, true),
    );
    heard.catch(() => undefined); // Whoever awaits it hears of it.
    return { attempt, heard, read };
  }

  it('takes each byte for a sign of life, also what the SDK makes no piece of', async () => {
    const { attempt, heard, read } = anAttempt();
    const response = await theRequest();
    for (let pings = 1; pings <= 3; pings++) {
      response.write(': ping\n');
      await until(() => read.length === pings);
      await jest.advanceTimersByTimeAsync(IDLE_MS - 1);
    }
    response.end('done');

    expect(await heard).toEqual([expect.stringMatching(/done$/)]);
    expect(attempt.response?.status).toBe(200);
  });

  it('tells a response that never begins from one that stops', async () => {
    const silent = anAttempt();
    await theRequest();
    await jest.advanceTimersByTimeAsync(CONNECT_MS);
    await expect(silent.heard).rejects.toMatchObject({ reason: 'connect' });

    begun = [];
    const stopping = anAttempt();
    (await theRequest()).write('half');
    await until(() => stopping.read.length === 1);
    await jest.advanceTimersByTimeAsync(IDLE_MS);
    await expect(stopping.heard).rejects.toMatchObject({ reason: 'idle' });
  });

  async function theRequest(): Promise<ServerResponse> {
    await until(() => begun.length > 0);
    const [response] = begun;
    if (!response) throw new Error('no request came');
    return response;
  }
});

/** Jest's own limit bounds it. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turn();
}
