import { S3ObjectStore } from '@skein/artifact-store';
import { S3TestServer } from '@skein/testing';
import { codeOf, contentRequests, pathOf } from '../../test/content-requests';
import { type RunningGateway, startGateway } from '../../test/running-gateway';

let gateway: RunningGateway;
afterEach(() => gateway.stop());

const { put, get } = contentRequests(() => gateway);

describe('content of artifacts on S3', () => {
  let s3: S3TestServer;
  let objects: S3ObjectStore;
  beforeEach(async () => {
    s3 = await S3TestServer.start();
    objects = new S3ObjectStore(
      { endpoint: s3.endpoint, publicEndpoint: s3.endpoint, ...s3.credentials, bucket: 'test-bucket' },
      { attempts: 2, firstDelayMs: 1, maxDelayMs: 2, idleMs: 400 },
    );
    await objects.prepare();
    gateway = await startGateway(undefined, { objects });
  });
  afterEach(() => s3.stop());

  it('is had from there when that is asked for, as it would be from here', async () => {
    await put('dir/report.csv', 0, 'a;b');

    const answer = await get('dir/report.csv', 0, { path: `${pathOf('dir/report.csv', 0)}?redirect=true` });

    expect([answer.status, answer.text]).toEqual([307, '']);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    const direct = await fetch(answer.headers.location as string);
    expect(await direct.text()).toBe('a;b');
    expect(direct.headers.get('content-type')).toBe('text/csv');
    expect(direct.headers.get('content-disposition')).toContain('filename="report.csv"');
    expect((await get('dir/report.csv', 0)).text).toBe('a;b');
  });

  it('row 37: is 503 while it is away, and nothing was saved', async () => {
    s3.fault = () => ({ status: 503, code: 'SlowDown' });
    const answer = await put('a', 0, 'x');
    s3.fault = () => undefined;

    expect([answer.status, codeOf(answer)]).toEqual([503, 'object.unavailable']);
    expect(answer.headers['retry-after']).toBe('1');
    expect((await get('a', 0)).status).toBe(404);
  });

  it('row 37: is 503 as an error is when it cannot be opened', async () => {
    await put('a', 0, 'x');
    s3.fault = () => ({ status: 503, code: 'SlowDown' });

    const answer = await get('a', 0);

    expect([answer.status, codeOf(answer)]).toEqual([503, 'object.unavailable']);
    expect(answer.headers['content-type']).toContain('application/json');
    expect(answer.headers).not.toHaveProperty('content-disposition');
  });

  it('row 37: is cut where it cannot go on, so that nobody takes a half for the whole', async () => {
    await put('a', 0, Buffer.alloc(200_000, 'x'));
    let calls = 0;
    s3.fault = ({ method }) =>
      method === 'GET'
        ? calls++ === 0
          ? { cutAfterBytes: 100_000 }
          : { status: 503, code: 'SlowDown' }
        : undefined;

    await expect(get('a', 0)).rejects.toThrow('aborted');
  });

  it('row 37: is cut before its end when it is not what was saved', async () => {
    await put('a', 0, 'right');
    const [name = ''] = s3.contents.bucket('test-bucket').keys();
    s3.contents.put('test-bucket', name, Buffer.from('wrong'));

    await expect(get('a', 0)).rejects.toThrow('hang up');
  });
});

describe('content on a disk', () => {
  it('comes from here, also when a redirect is asked for', async () => {
    gateway = await startGateway();
    await put('a', 0, 'x');

    const answer = await get('a', 0, { path: `${pathOf('a', 0)}?redirect=true` });

    expect(answer).toMatchObject({ status: 200, text: 'x' });
    const wrong = await get('a', 0, { path: `${pathOf('a', 0)}?redirect=yes` });
    expect([wrong.status, codeOf(wrong)]).toEqual([422, 'request.invalid']);
  });
});
