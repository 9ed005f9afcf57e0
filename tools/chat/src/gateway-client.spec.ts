import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayClient } from './gateway-client';
import { openSession } from './open-session';
import { PassThrough } from 'node:stream';

describe('GatewayClient', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  async function clientOf(listener: RequestListener): Promise<GatewayClient> {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new GatewayClient(`http://127.0.0.1:${port}`, 'quickstart', 'a user');
  }

  async function drain(client: GatewayClient): Promise<number> {
    let count = 0;
    const message = { parts: [{ text: 'hi' }] };
    for await (const _ of client.run({ session: 's', message, signal: new AbortController().signal }))
      count++;
    return count;
  }

  it('says in one sentence that the server is away', async () => {
    const client = await clientOf(() => undefined);
    await new Promise((resolve) => server?.close(resolve));

    await expect(client.listApps()).rejects.toThrow(/^Nothing answers at http:\/\/127/);
  });

  it("repeats the server's own sentence when it refuses", async () => {
    const client = await clientOf((_, response) => {
      response.writeHead(404).end('{"detail":"Session not found","error":"Session not found"}');
    });

    await expect(client.getSession('x')).rejects.toThrow('Session not found (404)');
  });

  it('asks under encoded names', async () => {
    const paths: (string | undefined)[] = [];
    const client = await clientOf(({ url }, response) => {
      paths.push(url);
      response.end('{"id":"a/b"}');
    });

    await client.getSession('a/b');

    expect(paths).toEqual(['/apps/quickstart/users/a%20user/sessions/a%2Fb']);
  });

  it('tells a stream that breaks from one that ends', async () => {
    const client = await clientOf((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"id":"1"}\n\n', () => response.destroy());
    });

    await expect(drain(client)).rejects.toThrow(/broke off in the middle/);
  });

  it('lists the apps there are when the wanted one is not among them', async () => {
    const client = await clientOf((_, response) => response.end('["notes","quickstart"]'));
    const wanted = { app: 'quick', session: undefined, url: undefined, user: 'user' };

    const opening = openSession(client, wanted, new PassThrough());

    await expect(opening).rejects.toThrow('There is no app "quick"; there are: notes, quickstart');
  });
});
