import { request as send } from 'node:http';
import { connect } from 'node:net';
import { codeOf, contentRequests, pathOf, sha256 } from '../../test/content-requests';
import { type Answer, type RunningGateway, startGateway } from '../../test/running-gateway';
import { ContentLimits } from './content-limits';

const LIMIT_BYTES = 300_000;
const limits = (idleMs = 20_000) => new ContentLimits(LIMIT_BYTES, idleMs);

let gateway: RunningGateway;
afterEach(() => gateway.stop());

const { put, get } = contentRequests(() => gateway);

describe('content of artifacts over HTTP', () => {
  beforeEach(async () => {
    gateway = await startGateway(undefined, { contentLimits: limits() });
  });

  it('is saved and loaded as it is, with its type, its version and a digest', async () => {
    const saved = await put('report.csv', 0, 'a;b');

    expect(saved.status).toBe(200);
    expect(JSON.parse(saved.text)).toEqual({
      version: 0,
      canonicalUri: 'artifact://apps/quickstart/users/user/sessions/s/artifacts/report.csv/versions/0',
      mimeType: 'text/csv',
      createTime: 1_763_640_000.5,
      sizeBytes: 3,
      sha256: sha256('a;b'),
    });
    const loaded = await get('report.csv', 'latest');
    expect(loaded).toMatchObject({ status: 200, text: 'a;b' });
    expect(loaded.headers).toMatchObject({
      'content-type': 'text/csv',
      'content-length': '3',
      'x-artifact-version': '0',
      etag: `"${sha256('a;b')}"`,
      'repr-digest': `sha-256=:${sha256('a;b', 'base64')}:`,
      'cache-control': 'private, no-cache',
    });
    expect(saved.headers.etag).toBe(loaded.headers.etag);
  });

  it('is one version when it is sent again, and 409 under a number that is not its own', async () => {
    const statuses: [number, unknown][] = [];
    for (const [version, body] of [
      [0, 'one'],
      [0, 'one'],
      [0, 'other'],
      [2, 'two'],
      [1, 'two'],
      ['latest', 'two'],
      ['latest', 'three'],
    ] as const) {
      const answer = await put('a', version, body);
      const { version: got, code } = JSON.parse(answer.text) as Record<string, unknown>;
      statuses.push([answer.status, got ?? code]);
    }

    expect(statuses).toEqual([
      [200, 0],
      [200, 0],
      [409, 'artifact.version'],
      [409, 'artifact.version'],
      [200, 1],
      [200, 1],
      [200, 2],
    ]);
    expect((await get('a', 0)).text).toBe('one');
  });

  it.each([
    ['a/b/c.txt', 'a/b/c.txt'],
    ['a/b/c.txt', 'a%2Fb%2Fc.txt'],
    ['x/versions/1/content', encodeURIComponent('x/versions/1/content')],
    ['user:me.png', 'user:me.png'],
  ])('takes the name %s, sent as %s', async (filename, sent) => {
    await put(sent, 0, 'one');

    expect((await get(sent, 0)).text).toBe('one');
    expect(gateway.svc.calls).toContainEqual(
      expect.objectContaining({ input: expect.objectContaining({ filename }) as unknown }),
    );
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['Bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=7-99', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=0-1,3-4', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('answers the range %s with %i', async (range, status, text, contentRange) => {
    await put('a', 0, '0123456789');

    const answer = await get('a', 0, { headers: { range } });

    expect(answer).toMatchObject({ status, text });
    expect(answer.headers['content-range']).toBe(contentRange);
  });

  it.each(['bytes=10-', 'bytes=-0', 'bytes=99999999999999999-'])(
    'has nothing of the range %s, and says so',
    async (range) => {
      await put('a', 0, '0123456789');

      const answer = await get('a', 0, { headers: { range } });

      expect([answer.status, codeOf(answer)]).toEqual([416, 'artifact.range']);
      expect(answer.headers).toMatchObject({
        'content-range': 'bytes */10',
        'content-type': expect.stringContaining('application/json') as unknown,
      });
      expect(answer.headers).not.toHaveProperty('etag');
    },
  );

  it('is found by its path in any case, with a slash at its end as well', async () => {
    const path = `${pathOf('a', 0).replace('/content', '/Content')}/`;

    expect((await put('a', 0, '{}', { 'content-type': 'application/json' })).status).toBe(200);
    const again = await gateway.ask({
      method: 'PUT',
      path,
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([again.status, (await get('a', 0)).text]).toEqual([200, '{}']);
  });

  it('goes on with a range only of the same content, and sends nothing to who has it', async () => {
    const etag = (await put('a', 0, '0123456789')).headers.etag as string;
    const ask = (headers: Record<string, string>) => get('a', 0, { headers });

    expect((await ask({ range: 'bytes=1-1', 'if-range': etag })).text).toBe('1');
    expect((await ask({ range: 'bytes=1-1', 'if-range': '"other"' })).text).toBe('0123456789');
    expect(await ask({ 'if-none-match': `"x", ${etag}` })).toMatchObject({ status: 304, text: '' });
    expect((await ask({ 'if-none-match': '"x"' })).status).toBe(200);
  });

  it('is described to HEAD without a byte', async () => {
    await put('a', 0, '0123456789');

    const answer = await get('a', 0, { method: 'HEAD', headers: { range: 'bytes=2-4' } });

    expect(answer).toMatchObject({ status: 200, text: '' });
    expect(answer.headers['content-length']).toBe('10');
  });

  it.each([
    ['no such version', 'a', 7, 404, 'artifact.not-found'],
    ['no such name', 'b', 'latest', 404, 'artifact.not-found'],
    ['a version that is no number', 'a', 'x', 422, 'request.invalid'],
    ['row 6: a name that leads out', '..%2f..%2fetc%2fpasswd', 0, 422, 'artifact.name'],
    ['row 6: a name with a backslash', 'a%5Cb', 0, 422, 'artifact.name'],
  ])('refuses to load %s', async (_what, name, version, status, code) => {
    await put('a', 0, 'x');

    const answer = await get(name, version);

    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it.each<[string, string | Buffer, Record<string, string>, number, string]>([
    ['nothing', '', { 'content-type': 'text/csv', 'content-length': '0' }, 422, 'artifact.empty'],
    ['more than is allowed', Buffer.alloc(LIMIT_BYTES + 1), {}, 413, 'artifact.too-large'],
    [
      'more than is allowed, in chunks',
      Buffer.alloc(LIMIT_BYTES + 1),
      { 'transfer-encoding': 'chunked' },
      413,
      'artifact.too-large',
    ],
    ['other bytes than announced', 'x', { 'content-digest': digestOf('y') }, 422, 'artifact.digest'],
    ['what it cannot check', 'x', { 'repr-digest': 'sha-256=abc' }, 422, 'request.invalid'],
    ['a compressed body', 'x', { 'content-encoding': 'gzip' }, 415, 'request.media-type'],
    ['a piece', 'x', { 'content-range': 'bytes 5-5/10' }, 400, 'request.malformed'],
    ['row 28: a type that is none', 'x', { 'content-type': 'text/html<script>' }, 422, 'request.invalid'],
    [
      'the type of a link',
      'x',
      { 'content-type': 'application/vnd.skein.link+json; of=' },
      422,
      'request.invalid',
    ],
  ])('refuses to save %s, and keeps nothing', async (_what, body, headers, status, code) => {
    const answer = await put('a', 0, body, headers);

    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    expect((await get('a', 'latest')).status).toBe(404);
  });

  it('takes bytes that are as announced, of any type, for an app that is there', async () => {
    const headers = { 'content-digest': `sha-512=:AAAA:, ${digestOf('x')}` };

    expect((await put('a', 0, 'x', headers)).status).toBe(200);

    const path = pathOf('a', 0).replace('quickstart', 'nobody');
    const answer = await gateway.ask({ method: 'PUT', path, body: 'x' });
    expect([answer.status, codeOf(answer)]).toEqual([404, 'app.unknown']);
  });

  it('row 28, row 32: is never shown or run by a browser, whatever it says it is', async () => {
    const name = encodeURIComponent('ä "b"\';.html');
    await put(name, 0, '<script>1</script>', { 'content-type': 'image/png' });

    const { headers } = await get(name, 0);

    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'x-artifact-sniffed-type': 'text/html',
      'content-disposition': `attachment; filename="_ _b___.html"; filename*=UTF-8''%C3%A4%20%22b%22%27%3B.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  });

  it('keeps nothing of an upload that breaks off', async () => {
    const broken = send(`${gateway.url}${pathOf('a', 0)}`, {
      method: 'PUT',
      headers: { 'content-length': 200_000 },
    });
    broken.on('error', () => undefined);
    broken.write(Buffer.alloc(100_000), () => broken.destroy());
    await new Promise((resolve) => broken.once('close', resolve));

    expect((await put('a', 0, 'whole')).status).toBe(200);
    expect((await get('a', 0)).text).toBe('whole');
  });

  it.each([
    ['sends no more', 60_000],
    ['sends a byte now and then', 50],
  ])('row 27: is not waited for from a client that %s', async (_what, everyMs) => {
    await gateway.stop();
    gateway = await startGateway(undefined, { contentLimits: limits(200) });

    const answer = await new Promise<string>((resolve) => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect({ host: hostname, port: Number(port) });
      const drip = setInterval(() => socket.write('x'), everyMs);
      let text = '';
      socket.on('data', (chunk) => (text += String(chunk)));
      socket.on('error', () => undefined); // 'close' follows.
      socket.once('close', () => {
        clearInterval(drip);
        resolve(text);
      });
      socket.write(`PUT ${pathOf('a', 0)} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\nhalf`);
    });

    expect(answer).toMatch(/^HTTP\/1.1 408 [^]*"code":"request.timeout"/);
  });

  it.each([
    ['one user', 4, () => 'user'],
    ['all users', 12, (n: number) => `user${n}`],
  ])(
    'is refused while too many uploads of %s are under way, and taken when they ended',
    async (_who, most, userOf) => {
      const slow = Array.from({ length: most }, (_, n) => {
        const path = pathOf(`slow${n}`, 0).replace('/users/user/', `/users/${userOf(n)}/`);
        const request = send(`${gateway.url}${path}`, {
          method: 'PUT',
          headers: { 'content-length': 2 },
          agent: false,
        });
        const ended = new Promise<number | undefined>((resolve) =>
          request.on('response', (response) => resolve(response.resume().statusCode)),
        );
        request.write('x');
        return { request, ended };
      });
      const whenFull = async (): Promise<Answer> => {
        for (;;) {
          const answer = await put('more', 'latest', String(Math.random()));
          if (answer.status !== 200) return answer;
        }
      };

      const refused = await whenFull();
      for (const { request } of slow) request.end('y');

      expect([refused.status, codeOf(refused)]).toEqual([503, 'artifact.busy']);
      expect(refused.headers['retry-after']).toBe('1');
      expect(await Promise.all(slow.map(({ ended }) => ended))).toEqual(Array(most).fill(200));
      expect((await put('more', 'latest', 'again')).status).toBe(200);
    },
  );
});

function digestOf(text: string): string {
  return `sha-256=:${sha256(text, 'base64')}:`;
}
