import { connect } from 'node:net';
import { AdkError } from '@skein/contracts';
import { startGateway, type Answer, type RunningGateway } from '../../apps/gateway/test/running-gateway';
import { bodyRoutes, pathRoutes, statelessRoutes } from './support/routes';

const LEGAL_IDS = [
  'a.b',
  '*',
  '>',
  'a b',
  '$SYS',
  '_INBOX.x',
  '日本',
  'a/b',
  '../../etc',
  '😀',
  '\u202eabc',
  'é',
  'e\u0301',
  '%',
  "'; --",
  'user',
  'null',
];
const ILLEGAL_IDS = ['%00', 'a%00b', '%07', '%7F', '%0D%0A', '%C2%80', 'x'.repeat(257)];

describe('bad paths and headers', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    gateway.svc.failure = undefined;
    gateway.svc.calls.splice(0);
  });

  describe.each(pathRoutes)('$name', ({ method, path, body, needsApp }) => {
    it.each(LEGAL_IDS)('row 13: takes the id %p as it is', async (id) => {
      const sent = encodeURIComponent(id);

      const answer = await gateway.ask({ method, body, path: path('quickstart', sent, sent) });

      expect([200, 404]).toContain(answer.status);
      expect(gateway.svc.calls[0]?.input).toMatchObject({ appName: 'quickstart', userId: id });
    });

    it.each(['.', '..'])('row 13: takes the id %p, sent as it is', async (id) => {
      const answer = await gateway.ask({ method, body, path: path('quickstart', id, id) });

      expect([200, 404]).toContain(answer.status);
      expect(gateway.svc.calls[0]?.input).toMatchObject({ userId: id });
    });

    it.each(ILLEGAL_IDS)('rows 7 and 13: refuses the id %p', async (id) => {
      expectRefusal(
        await gateway.ask({ method, body, path: path('quickstart', id, 's') }),
        422,
        'request.invalid',
      );
      if (path('a', 'u', 'one') === path('a', 'u', 'two')) return;
      expectRefusal(
        await gateway.ask({ method, body, path: path('quickstart', 'u', id) }),
        422,
        'request.invalid',
      );
    });

    it.each(['%zz', '%', '%ED%A0%80', '%ff'])('row 8: refuses %p, which cannot be decoded', async (id) => {
      expectRefusal(
        await gateway.ask({ method, body, path: path('quickstart', id, 's') }),
        400,
        'request.malformed',
      );
    });

    it.each(['a.b', 'user', '..%2f..%2fetc', '%00', '*'])('row 13: refuses the app name %p', async (app) => {
      expectRefusal(await gateway.ask({ method, body, path: path(app, 'u', 's') }), 422, 'request.invalid');
    });

    it.each(['nobody', 'empty', 'constructor', 'quickstart-2'])('row 21: knows no app %p', async (app) => {
      const answer = await gateway.ask({ method, body, path: path(app, 'u', 's') });

      if (needsApp) expectRefusal(answer, 404, 'app.unknown');
      // What was stored while there was such an app is its owner's still, found by its key alone.
      else expect(gateway.svc.calls[0]?.input).toMatchObject({ appName: app, userId: 'u' });
    });

    it('row 33: tells nothing of what went wrong inside', async () => {
      gateway.svc.failure = new Error('password=hunter2 at /srv/skein/secret.ts:7');

      const answer = await gateway.ask({ method, body, path: path('quickstart', 'u', 's') });

      expect(answer.status).toBe(500);
      expect(JSON.parse(answer.text)).toEqual({
        detail: 'An unexpected error occurred.',
        error: 'An unexpected error occurred.',
        code: 'internal.unexpected',
      });
    });

    it('answers 503 with Retry-After while session-svc is away, and 504 when it is late', async () => {
      gateway.svc.failure = new AdkError('unavailable', 'rpc.unavailable', 'away', { retryAfterMs: 1500 });
      const away = await gateway.ask({ method, body, path: path('quickstart', 'u', 's') });
      gateway.svc.failure = new AdkError('deadline', 'rpc.deadline', 'late');
      const late = await gateway.ask({ method, body, path: path('quickstart', 'u', 's') });

      expect([away.status, away.headers['retry-after'], late.status]).toEqual([503, '2', 504]);
    });
  });

  it.each([
    ['GET', '/nowhere'],
    ['GET', '/'],
    ['POST', '/apps/quickstart/users'],
    ['DELETE', '/run'],
    ['PATCH', '/list-apps'],
    ['GET', '/list-apps/../../etc/passwd'],
    ['GET', '//evil.example/list-apps'],
  ])('answers %s %s in the one shape', async (method, path) => {
    expectRefusal(await gateway.ask({ method, path }), 404, 'route.unknown');
  });

  describe('row 15: who may ask', () => {
    const routes = [
      ...[...bodyRoutes, ...statelessRoutes].map(({ method, path }) => [method, path] as const),
      ['DELETE', '/apps/quickstart/users/u/sessions/s/artifacts/a.txt'] as const,
      ['DELETE', '/apps/quickstart/users/u/sessions/s'] as const,
    ];

    it.each(routes)('refuses %s %s from the page of another site', async (method, path) => {
      for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', 'garbage']) {
        expectRefusal(await gateway.ask({ method, path, headers: { origin } }), 403, 'request.origin');
      }
      expect(gateway.svc.calls).toEqual([]);
    });

    it.each(routes)('refuses %s %s from another site whatever X-Forwarded-* says', async (method, path) => {
      const headers = {
        origin: 'https://evil.example',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
      };

      expectRefusal(await gateway.ask({ method, path, headers }), 403, 'request.origin');
    });

    it.each([
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      'a b',
      '[::ffff:8.8.8.8]',
    ])('refuses the host %p, which a hostile name server may have pointed here', async (host) => {
      expectRefusal(await gateway.ask({ path: '/list-apps', headers: { host } }), 403, 'request.host');
    });

    it.each(['localhost', 'LOCALHOST:8000', '127.0.0.1', '127.8.8.8:1', '[::1]:8000', 'app.localhost'])(
      'takes the host %p',
      async (host) => {
        expect((await gateway.ask({ path: '/list-apps', headers: { host } })).status).toBe(200);
      },
    );

    it('takes a page of its own origin, and gives no other page leave to read', async () => {
      const own = await gateway.ask({
        method: 'POST',
        path: '/apps/notes/users/u/sessions',
        headers: { origin: gateway.url },
      });
      const other = await gateway.ask({ path: '/list-apps', headers: { origin: 'https://evil.example' } });

      expect(own.status).toBe(200);
      expect(other.headers['access-control-allow-origin']).toBeUndefined();
    });

    it('does not say what it runs on', async () => {
      const { headers } = await gateway.ask({ path: '/list-apps' });

      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers['x-content-type-options']).toBe('nosniff');
    });
  });

  it.each([
    ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['a folded header', 'X: a\r\n b\r\nTransfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n'],
  ])('row 28: refuses a request with %s', async (_name, rest) => {
    const answer = await sendRaw(gateway.url, `POST /run HTTP/1.1\r\nHost: 127.0.0.1\r\n${rest}`);

    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(gateway.svc.calls).toEqual([]);
  });

  it('row 34: refuses headers of a megabyte', async () => {
    const answer = await sendRaw(
      gateway.url,
      `GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nbaggage: ${'a=b,'.repeat(250_000)}\r\n\r\n`,
    );

    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});

function expectRefusal(answer: Answer, status: number, code: string): void {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  const body = JSON.parse(answer.text) as { detail: string; error: string };
  expect(body).toMatchObject({ code, detail: expect.any(String) as unknown, error: body.detail });
}

async function sendRaw(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (data) => (answer += data.toString('latin1')));
    socket.on('close', () => resolve(answer));
    // The server may cut the connection while we still send.
    socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    socket.setTimeout(5000, () => socket.destroy());
  });
}
