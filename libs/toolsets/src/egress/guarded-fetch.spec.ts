import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { AdkError } from '@skein/contracts';
import { configureEgress } from './egress-settings';
import { guardedFetch } from './guarded-fetch';

interface Target {
  readonly port: number;
  readonly origin: string;
  readonly requests: IncomingMessage[];
}

const servers: Server[] = [];

async function serve(listener: RequestListener, host = '127.0.0.1', port = 0): Promise<Target> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return { port: bound, requests, origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}` };
}

const secret: RequestListener = (_request, response) => response.end('secret');

afterEach(async () => {
  configureEgress({});
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

describe('the guarded fetch', () => {
  it('row 24: no form of a private address reaches a server that listens there', async () => {
    const { port, requests } = await serve(secret, '0.0.0.0');
    const forms = [
      ...[
        '127.0.0.1',
        '127.1',
        '127.0.0.1.',
        '2130706433',
        '0x7f000001',
        '0x7f.0.0.1',
        '0177.0.0.1',
        '017700000001',
      ],
      ...[
        'localhost',
        'LOCALHOST',
        'localhost.',
        'a.localhost',
        '%6c%6fcalhost',
        '①②⑦.0.0.1',
        '0',
        '0.0.0.0',
      ],
      ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
      ...[
        '[2002:7f00:1::]',
        '10.0.0.1',
        '192.168.0.1',
        '172.16.0.1',
        '169.254.169.254',
        '100.64.0.1',
        '224.0.0.1',
      ],
      ...['[fd00:ec2::254]', '[fe80::1]', '[ff02::1]', '168.63.129.16'],
    ];
    const guarded = guardedFetch();

    const codes = await Promise.all(forms.map((form) => codeOf(guarded(`http://${form}:${port}/`))));

    expect(codes).toEqual(forms.map(() => 'egress.blocked'));
    expect(requests).toHaveLength(0);
  });

  it.each([
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'ftp://example.com/',
    'data:text/plain,x',
    'blob:x',
    'x',
    '',
  ])('row 24: %j is not fetched', async (url) => {
    expect(await codeOf(guardedFetch()(url))).toBe('egress.url');
  });

  it('refuses a URL with a password', async () => {
    expect(await codeOf(guardedFetch()('http://user:pass@example.com/'))).toBe('egress.url');
  });

  it('row 24: a name with one private address among public ones is not reached', async () => {
    const { port, requests } = await serve(secret);
    const guarded = guardedFetch({ resolve: async () => ['8.8.8.8', '127.0.0.1'] });

    expect(await codeOf(guarded(`http://two.example:${port}/`))).toBe('egress.blocked');
    expect(requests).toHaveLength(0);
  });

  it('row 24: a name that has another address a moment later (DNS rebinding) is connected to where it was checked', async () => {
    const inner = await serve(secret, '127.0.0.1');
    // Stands for a public server: what is allowed passes the same check.
    const outer = await serve((_request, response) => response.end('public'), '127.0.0.2', inner.port);
    const answers = ['127.0.0.2', '127.0.0.1', '127.0.0.1'];
    let lookups = 0;
    const guarded = guardedFetch({
      allow: ['127.0.0.2'],
      resolve: async () => [answers[lookups++] ?? ''],
    });

    const answer = await guarded(`http://rebind.example:${inner.port}/`, {
      headers: { connection: 'close' },
    });
    expect(await answer.text()).toBe('public');
    expect(lookups).toBe(1);
    // The next connection asks again, and is refused.
    for (const server of servers) server.closeAllConnections();
    expect(await codeOf(guarded(`http://rebind.example:${inner.port}/`))).toBe('egress.blocked');
    expect([outer.requests.length, inner.requests.length]).toEqual([1, 0]);
  });

  it.each([301, 302, 303, 307, 308])(
    'row 24: a redirect (%d) to a private address is not followed',
    async (status) => {
      const inner = await serve(secret);
      const outer = await serve((_request, response) =>
        response.writeHead(status, { location: inner.origin }).end(),
      );

      expect(await codeOf(guardedFetch({ allow: [outer.origin] })(outer.origin))).toBe('egress.blocked');
      expect([outer.requests.length, inner.requests.length]).toEqual([1, 0]);
    },
  );

  it('row 24: a redirect to another scheme is not followed', async () => {
    const outer = await serve((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    );

    expect(await codeOf(guardedFetch({ allow: [outer.origin] })(outer.origin))).toBe('egress.url');
  });

  it('gives up after some redirects', async () => {
    const loop = await serve((_request, response) => response.writeHead(302, { location: '/' }).end());

    expect(await codeOf(guardedFetch({ allow: [loop.origin], maxRedirects: 3 })(loop.origin))).toBe(
      'egress.redirects',
    );
    expect(loop.requests).toHaveLength(4);
  });

  it('keeps credentials from another origin, and sends them on to its own', async () => {
    const other = await serve((_request, response) => response.end('there'));
    const first = await serve((request, response) => {
      const location = request.url === '/' ? '/again' : other.origin;
      response.writeHead(307, { location }).end();
    });
    const headers = { authorization: 'Bearer t', cookie: 'a=b', 'x-api-key': 'k', accept: 'text/plain' };

    const answer = await guardedFetch({ allow: ['127.0.0.1'] })(first.origin, { headers });

    expect(await answer.text()).toBe('there');
    expect([answer.redirected, answer.url]).toEqual([true, `${other.origin}/`]);
    expect(first.requests[1]?.headers).toMatchObject(headers);
    expect(other.requests[0]?.headers).toMatchObject({ accept: 'text/plain' });
    expect(Object.keys(other.requests[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/authorization|cookie|x-api-key/)]),
    );
  });

  it('sends what it is given: method, headers and any kind of body', async () => {
    const bodies: string[] = [];
    const echo = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        bodies.push(`${request.method} ${request.headers['content-type']} ${body}`);
        response.writeHead(201, { 'content-type': 'application/json' }).end('{"ok":true}');
      });
    });
    const guarded = guardedFetch({ allow: ['127.0.0.1/32'] });
    const form = new FormData();
    form.set('file', new Blob(['bytes'], { type: 'text/csv' }), 'a.csv');

    const answer = await guarded(new URL(echo.origin), { method: 'PUT', body: 'text' });
    await guarded(echo.origin, { method: 'POST', body: new URLSearchParams({ a: '1' }) });
    await guarded(new Request(echo.origin, { method: 'POST', body: form }));

    expect(answer).toBeInstanceOf(Response);
    expect([answer.status, await answer.json()]).toEqual([201, { ok: true }]);
    expect(bodies[0]).toBe('PUT text/plain;charset=UTF-8 text');
    expect(bodies[1]).toContain('application/x-www-form-urlencoded');
    expect(bodies[2]).toMatch(/multipart\/form-data; boundary=[^]*filename="a.csv"[^]*bytes/);
  });

  it.each([
    [
      'its length says so',
      (size: number): RequestListener =>
        (_request, response) =>
          response.end('x'.repeat(size)),
    ],
    [
      'it has no length',
      (size: number): RequestListener =>
        (_request, response) => {
          response.write('x'.repeat(size / 2));
          response.end('x'.repeat(size / 2));
        },
    ],
    [
      'it grows while it is unpacked',
      (size: number): RequestListener =>
        (_request, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(size * 100)));
        },
    ],
  ])('refuses an answer that is too large where %s', async (_case, listenerOf) => {
    const { origin } = await serve(listenerOf(20_000));
    const guarded = guardedFetch({ allow: [origin], maxResponseBytes: 10_000 });

    expect(await codeOf(guarded(origin).then((answer) => answer.text()))).toBe('egress.too-large');
  });

  it('bounds the whole answer in time', async () => {
    const { origin } = await serve((_request, response) => void response.write('begins'));
    const guarded = guardedFetch({ allow: [origin], timeoutMs: 200 });

    expect(await codeOf(guarded(origin).then((answer) => answer.text()))).toBe('egress.timeout');
  });

  it('ends with the signal of its caller, and with its reason', async () => {
    const controller = new AbortController();
    const { origin } = await serve(() => controller.abort(new Error('enough')));

    await expect(guardedFetch({ allow: [origin] })(origin, { signal: controller.signal })).rejects.toThrow(
      'enough',
    );
  });

  it('tells a network that fails from a host that is not there', async () => {
    const { origin } = await serve(secret);
    servers.splice(0).forEach((server) => server.close());
    const nobody = guardedFetch({
      resolve: () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
    });

    await expect(guardedFetch({ allow: [origin] })(origin)).rejects.toMatchObject({
      code: 'egress.unreachable',
      kind: 'unavailable',
    });
    await expect(nobody('http://nobody.example/')).rejects.toMatchObject({
      code: 'egress.unknown-host',
      kind: 'not_found',
    });
  });

  it.each(['gzip', 'br'])('refuses for good a body that is not the %s it is said to be', async (encoding) => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end('this was never packed by anybody');
    });

    const response = await guardedFetch({ allow: [origin] })(origin);

    await expect(response.text()).rejects.toMatchObject({ code: 'egress.bad-body', kind: 'invalid' });
  });

  it('goes by no proxy of the environment', async () => {
    const proxy = await serve(secret);
    const { origin } = await serve((_request, response) => response.end('direct'));
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: proxy.origin,
      http_proxy: proxy.origin,
      ALL_PROXY: proxy.origin,
    });

    try {
      const answer = await guardedFetch({ allow: [origin] })(origin);
      expect(await answer.text()).toBe('direct');
    } finally {
      process.env = before;
    }
    expect(proxy.requests).toHaveLength(0);
  });

  it('reaches what the worker allows, from then on', async () => {
    const { port } = await serve((_request, response) => response.end('inside'));
    const guarded = guardedFetch();
    const url = `http://localhost:${port}/`;
    expect(await codeOf(guarded(url))).toBe('egress.blocked');

    configureEgress({ allow: ['localhost'] });

    expect(await (await guarded(url)).text()).toBe('inside');
  });
});

async function codeOf(request: Promise<unknown>): Promise<unknown> {
  return request.then(
    () => 'no error',
    (thrown: unknown) => (AdkError.isInstance(thrown) ? thrown.code : thrown),
  );
}
