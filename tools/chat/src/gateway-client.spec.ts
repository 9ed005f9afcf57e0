import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { GatewayClient } from './gateway-client';
import { openSession } from './open-session';
import type { WireFrame } from './wire-event';

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
    return new GatewayClient(`http://127.0.0.1:${port}`, 'quickstart', 'a user', {
      forMs: 5_000,
      pauseMs: 1,
    });
  }

  async function drain(client: GatewayClient): Promise<readonly WireFrame[]> {
    const frames: WireFrame[] = [];
    const message = { parts: [{ text: 'hi' }] };
    const { signal } = new AbortController();
    for await (const frame of client.run({ session: 's', message, signal })) frames.push(frame);
    return frames;
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

  it('sends a turn again under its key, behind what it saw, when the gateway is cut off or busy', async () => {
    const asked: IncomingMessage[] = [];
    const bodies: string[] = [];
    const answers: ((response: ServerResponse) => void)[] = [
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('id: 4\ndata: {"id":"1"}\n\n', () => response.destroy());
      },
      (response) => response.writeHead(503, { 'retry-after': '0' }).end('{"detail":"later"}'),
      (response) => response.writeHead(200).end('id: 5\ndata: {"id":"2"}\n\n'),
    ];
    const client = await clientOf((request, response) => {
      asked.push(request);
      void text(request).then((body) => {
        bodies.push(body);
        answers[asked.length - 1]?.(response);
      });
    });

    expect(await drain(client)).toEqual([{ id: '1' }, { id: '2' }]);
    const keys = asked.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([expect.stringMatching(/./), keys[0], keys[0]]);
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '4', '4']);
    expect(asked.map(({ url }) => url)).toEqual(Array(3).fill('/run_sse?resume=1'));
    expect(new Set(bodies).size).toBe(1);
  });

  it('gives each turn a key of its own', async () => {
    const keys: unknown[] = [];
    const client = await clientOf(({ headers }, response) => {
      keys.push(headers['idempotency-key']);
      response.end();
    });

    await drain(client);
    await drain(client);

    expect(new Set(keys).size).toBe(2);
  });

  it('lists the apps there are when the wanted one is not among them', async () => {
    const client = await clientOf((_, response) => response.end('["notes","quickstart"]'));
    const wanted = { app: 'quick', session: undefined, url: undefined, user: 'user' };

    const opening = openSession(client, wanted, new PassThrough());

    await expect(opening).rejects.toThrow('There is no app "quick"; there are: notes, quickstart');
  });
});
