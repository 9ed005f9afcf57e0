import { once } from 'node:events';
import { createServer, request as send, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from './read-body';

const LIMIT_BYTES = 8;

/** What is read of a request whose body `write` sends. */
async function read(
  write: (request: ClientRequest) => void,
  headers: Readonly<Record<string, string>> = { 'transfer-encoding': 'chunked' },
): Promise<unknown> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const taken = new Promise((resolve) => {
    server.on('request', (request, response) => {
      readBody(request, LIMIT_BYTES, (refusal, body) => {
        response.end();
        resolve(refusal?.code ?? body.toString('utf8'));
      });
    });
  });
  const request = send({ port, method: 'POST', agent: false, headers });
  request.on('error', () => undefined); // That of the one that breaks off.
  write(request);
  const answer = await taken;
  server.closeAllConnections();
  server.close();
  return answer;
}

describe('the body of a request', () => {
  it('is nothing where none was sent', async () => {
    expect(await read((request) => request.end(), {})).toBe('');
    expect(await read((request) => request.end(), { 'content-length': '0' })).toBe('');
  });

  it('is put together of the pieces it comes in, up to the limit', async () => {
    const answer = await read((request) => {
      request.write('1234');
      setImmediate(() => request.end('5678'));
    });

    expect(answer).toBe('12345678');
  });

  it('is refused when it is larger, whatever was said of its length', async () => {
    const long = '123456789';

    expect(await read((request) => request.end(long))).toBe('request.too-large');
    expect(await read((request) => request.end(long), { 'content-length': '9' })).toBe('request.too-large');
  });

  it('is refused when it is compressed', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-length': '2' };

    expect(await read((request) => request.end('{}'), headers)).toBe('request.media-type');
  });

  it('is refused when its client leaves before the end', async () => {
    const answer = await read(
      (request) => {
        request.write('12', () => request.destroy());
      },
      { 'content-length': '4' },
    );

    expect(answer).toBe('request.malformed');
  });
});
