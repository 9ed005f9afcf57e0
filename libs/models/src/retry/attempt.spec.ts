import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { collect } from '@skein/testing';
import { Attempt } from './attempt';

describe('Attempt', () => {
  let answer: (response: ServerResponse) => void = () => undefined;
  const server = createServer((_request, response) => answer(response));
  let url = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** The whole body as one piece, as of an answer whose bytes are no pieces of their own. */
  async function* wholeBody(attempt: Attempt): AsyncGenerator<string> {
    const response = await attempt.fetch(url, { signal: attempt.signal });
    yield await response.text();
  }

  function attemptWith(limits: { connectTimeoutMs: number; idleTimeoutMs: number }) {
    const attempt = new Attempt(new AbortController().signal, limits);
    return { attempt, heard: () => collect(attempt.listen(async () => wholeBody(attempt), true)) };
  }

  it('takes each byte for a sign of life, also what the SDK makes no piece of', async () => {
    answer = (response) => {
      response.writeHead(200);
      let pings = 0;
      const timer = setInterval(() => {
        response.write(': ping\n');
        if ((pings += 1) < 35) return;
        clearInterval(timer);
        response.end('done');
      }, 50);
    };
    const { attempt, heard } = attemptWith({ connectTimeoutMs: 15_000, idleTimeoutMs: 1_500 });

    expect((await heard())[0]).toMatch(/done$/);
    expect(attempt.response?.status).toBe(200);
  });

  it('tells a response that never begins from one that stops', async () => {
    answer = () => undefined;
    const silent = new Attempt(new AbortController().signal, { connectTimeoutMs: 40, idleTimeoutMs: 5_000 });
    const asked = silent.listen(async () => {
      await silent.fetch(url, { signal: silent.signal });
      return wholeBody(silent);
    }, true);
    await expect(asked.next()).rejects.toMatchObject({ reason: 'connect' });

    answer = (response) => {
      response.writeHead(200);
      response.write('half');
    };
    const { heard } = attemptWith({ connectTimeoutMs: 5_000, idleTimeoutMs: 40 });
    await expect(heard()).rejects.toMatchObject({ reason: 'idle' });
  });
});
