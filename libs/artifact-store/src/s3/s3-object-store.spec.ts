import { randomUUID } from 'node:crypto';
import { type S3Call, s3ServerContract, type S3Fault, S3TestServer } from '@skein/testing';
import { S3ObjectStore, type S3Patience, type S3Settings } from './s3-object-store';

const MEGABYTE = 1024 * 1024;
const PATIENCE: S3Patience = { attempts: 4, firstDelayMs: 1, maxDelayMs: 5, idleMs: 500 };

let server: S3TestServer;
let buckets = 0;
beforeAll(async () => {
  server = await S3TestServer.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.calls.length = 0;
  server.fault = () => undefined;
});

function aStore(settings: Partial<S3Settings> = {}, patience = PATIENCE): S3ObjectStore {
  const { endpoint, credentials } = server;
  return new S3ObjectStore(
    { endpoint, ...credentials, bucket: `bucket-${buckets++}`, ...settings },
    patience,
  );
}

async function aPreparedStore(): Promise<S3ObjectStore> {
  const store = aStore();
  await store.prepare();
  return store;
}

s3ServerContract('S3TestServer', async () => ({ endpoint: server.endpoint, ...server.credentials }));

/** The fault for the first `times` calls that match. */
function faulty(times: number, fault: S3Fault, isHit: (call: S3Call) => boolean): () => number {
  let hits = 0;
  server.fault = (call) => (hits < times && isHit(call) && ++hits > 0 ? fault : undefined);
  return () => hits;
}

const isPut = ({ method, name }: S3Call): boolean => method === 'PUT' && name !== '';
const isGet = ({ method, name }: S3Call): boolean => method === 'GET' && name !== '';
const slowDown = { status: 503, code: 'SlowDown' };

describe('S3ObjectStore', () => {
  let store: S3ObjectStore;
  let key: string;
  beforeEach(async () => {
    store = await aPreparedStore();
    key = randomUUID();
  });

  it('makes its bucket, once, whoever else makes it at the same time', async () => {
    const bucket = `bucket-${buckets++}`;
    const stores = [aStore({ bucket }), aStore({ bucket }), aStore({ bucket })];

    await Promise.all(stores.map((one) => one.prepare()));
    await stores[0]?.prepare();

    expect(server.contents.buckets.has(bucket)).toBe(true);
  });

  it('keeps its objects beside what else is in the bucket', async () => {
    const bucket = `bucket-${buckets++}`;
    store = aStore({ bucket });
    await store.prepare();
    const others = ['artifacts/', 'artifacts/README', 'artifacts/a/b-c-d-e-f-g', 'somebody/else'];
    for (const name of others) server.contents.put(bucket, name, Buffer.from('x'));
    await store.put(key, [Buffer.from('y')]);

    const listed: string[] = [];
    for await (const object of store.list()) listed.push(object.key);

    expect(listed).toEqual([key]);
    expect([...server.contents.bucket(bucket).keys()]).toEqual([...others, `artifacts/${key}`]);
  });

  it.each<[string, S3Fault]>([
    ['503', slowDown],
    ['500', { status: 500, code: 'InternalError' }],
    ['429', { status: 429, code: 'TooManyRequests' }],
    ['silence', { silent: true }],
  ])('row 37: puts again after %s', async (_what, fault) => {
    const hits = faulty(2, fault, isPut);

    await store.put(key, [Buffer.from('x')]);

    expect(hits()).toBe(2);
    expect((await store.get(key))?.byteLength).toBe(1);
  });

  it('row 37: sends the part again that failed, and no other', async () => {
    // What is slow on a busy machine is not sent again.
    store = aStore({}, { ...PATIENCE, idleMs: 30_000 });
    await store.prepare();
    let puts = 0;
    server.fault = (call) => (call.query.has('partNumber') && ++puts === 2 ? slowDown : undefined);
    const content = Buffer.alloc(12 * MEGABYTE, 'ab');

    await store.put(key, [content]);

    const parts = server.calls.flatMap(({ query }) => query.get('partNumber') ?? []);
    expect(parts).toEqual(['1', '2', '2', '3']);
    expect(content.equals((await store.get(key)) ?? Buffer.of())).toBe(true);
  });

  it('row 37: takes an upload for complete whose answer was lost', async () => {
    let isFirst = true;
    server.fault = ({ method, query }) => {
      const id = query.get('uploadId');
      if (method !== 'POST' || id === null || !isFirst) return undefined;
      isFirst = false;
      const parts = [...(server.contents.uploads.get(id)?.parts ?? [])];
      server.contents.complete(
        id,
        parts.map(([part, { etag }]) => ({ part, etag })),
      );
      return { status: 500, code: 'InternalError' };
    };

    const stored = await store.put(key, [Buffer.alloc(9 * MEGABYTE)]);

    expect(stored.sizeBytes).toBe(9 * MEGABYTE);
    expect(await store.stat(key)).toMatchObject({ sizeBytes: 9 * MEGABYTE });
  });

  it('row 37: completes an upload again that was answered 200 with an error', async () => {
    const isComplete = ({ method, query }: S3Call) => method === 'POST' && query.has('uploadId');
    const hits = faulty(2, { status: 200, code: 'InternalError' }, isComplete);

    await store.put(key, [Buffer.alloc(9 * MEGABYTE)]);

    expect(hits()).toBe(2);
    expect(await store.stat(key)).toMatchObject({ sizeBytes: 9 * MEGABYTE });
  });

  it.each<[string, S3Fault]>([
    ['507', { status: 507, code: 'InsufficientStorage' }],
    ['a full disk', { status: 400, code: 'XMinioStorageFull' }],
  ])('row 37: is away, not wrong, while the server has no room: %s', async (_what, fault) => {
    const hits = faulty(1, fault, isPut);
    await store.put(key, [Buffer.from('x')]);
    expect(hits()).toBe(1);

    faulty(Infinity, fault, isPut);
    await expect(store.put(key, [Buffer.from('x')])).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('row 37: says that it is away after so many tries, and leaves no part behind', async () => {
    server.fault = (call) => (call.query.get('partNumber') === '2' ? slowDown : undefined);

    const putting = store.put(key, [Buffer.alloc(17 * MEGABYTE)]);

    await expect(putting).rejects.toMatchObject({ kind: 'unavailable', code: 'object.unavailable' });
    expect(server.contents.uploads.size).toBe(0);
    expect(await store.stat(key)).toBeUndefined();
  });

  it.each<[string, S3Fault]>([
    ['broke off', { cutAfterBytes: 1_000_000 }],
    ['fell silent', { stallAfterBytes: 1_000_000 }],
  ])('row 37: goes on reading where the connection %s', async (_what, fault) => {
    const content = Buffer.from(Array.from({ length: 3 * MEGABYTE }, (_, n) => n % 251));
    await store.put(key, [content]);
    faulty(3, fault, isGet);

    const read = await store.get(key);

    expect(content.equals(read ?? Buffer.of())).toBe(true);
    const ranges = server.calls.filter(isGet).map(({ headers }) => headers.range);
    expect(ranges[0]).toBeUndefined();
    expect(ranges.slice(1)).toHaveLength(3);
    for (const range of ranges.slice(1)) expect(range).toMatch(/^bytes=[1-9]\d*-$/);
  });

  it('row 37: goes on inside the range that was asked for', async () => {
    await store.put(key, [Buffer.from('0123456789')]);
    faulty(1, { cutAfterBytes: 2 }, isGet);

    const content = await store.open(key, { start: 2, end: 7 });

    let text = '';
    for await (const chunk of content ?? []) text += String(chunk);
    expect(text).toBe('234567');
  });

  it.each([
    ['a range', { start: 2, end: 7 }, '234567'],
    ['a range to the end', { start: 2, end: 9 }, '23456789'],
    ['all', undefined, '0123456789'],
  ])('row 37: has read %s when the connection broke off behind it', async (_what, range, expected) => {
    await store.put(key, [Buffer.from('0123456789')]);
    faulty(1, { cutAfterBytes: expected.length, isOfUnknownLength: true }, isGet);

    const content = await store.open(key, range);

    let text = '';
    for await (const chunk of content ?? []) text += String(chunk);
    expect(text).toBe(expected);
  });

  it('row 37: gives up a read that makes no progress', async () => {
    await store.put(key, [Buffer.alloc(1_000)]);
    server.fault = (call) => (isGet(call) ? { stallAfterBytes: 0 } : undefined);

    await expect(store.get(key)).rejects.toMatchObject({ kind: 'deadline', code: 'object.timeout' });
  });

  it('opens nothing more for a reader that left while it waited', async () => {
    await store.put(key, [Buffer.alloc(1_000)]);
    server.fault = (call) => (isGet(call) ? { stallAfterBytes: 10 } : undefined);
    const content = await store.open(key);
    await new Promise((resolve) => content?.once('data', resolve));

    content?.destroy();

    await new Promise((resolve) => setTimeout(resolve, 3 * PATIENCE.idleMs));
    expect(server.calls.filter(isGet)).toHaveLength(1);
  });

  it('waits for a reader that is slower than the patience with the server', async () => {
    await store.put(key, [Buffer.alloc(4 * MEGABYTE)]);
    const content = await store.open(key);
    let sizeBytes = 0;

    for await (const chunk of (content ?? []) as AsyncIterable<Buffer>) {
      if (sizeBytes === 0) await new Promise((resolve) => setTimeout(resolve, 3 * PATIENCE.idleMs));
      sizeBytes += chunk.length;
    }

    expect(sizeBytes).toBe(4 * MEGABYTE);
    expect(server.calls.filter(isGet)).toHaveLength(1);
  });

  it('is refused with a wrong secret, at once and without telling it', async () => {
    const stranger = aStore({ secretKey: 'wrong-secret' });

    const error: unknown = await stranger.put(key, [Buffer.from('x')]).catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({
      kind: 'internal',
      code: 'object.refused',
      message: 'The object store refused the request: SignatureDoesNotMatch.',
    });
    await expect(stranger.prepare()).rejects.toMatchObject({ code: 'object.refused' });
  });

  it.each([
    ['an object', 1],
    ['one in parts', 9 * MEGABYTE],
  ])('makes a bucket again that somebody took away, and goes on: %s', async (_what, sizeBytes) => {
    const bucket = `bucket-${buckets++}`;
    store = aStore({ bucket });

    expect(await store.get(key)).toBeUndefined();
    server.contents.buckets.delete(bucket);
    await store.put(key, [Buffer.alloc(sizeBytes)]);

    expect(await store.stat(key)).toMatchObject({ sizeBytes });
  });

  it('says why a bucket that is gone cannot be made', async () => {
    server.fault = ({ method, name }) =>
      method === 'PUT' && name === '' ? { status: 403, code: 'AccessDenied' } : undefined;

    await expect(aStore().put(key, [Buffer.from('x')])).rejects.toMatchObject({
      code: 'object.refused',
      message: expect.stringContaining('AccessDenied') as unknown,
    });
  });

  it('drops an object, and asks once only', async () => {
    await store.put(key, [Buffer.from('x')]);
    const isDelete = ({ method }: S3Call) => method === 'DELETE';

    for (const fault of [slowDown, { silent: true } as const]) {
      const hits = faulty(Infinity, fault, isDelete);
      expect(await store.drop(key)).toBe(false);
      expect(hits()).toBe(1);
    }
    server.fault = () => undefined;

    expect(await store.drop(key)).toBe(true);
    expect(await store.get(key)).toBeUndefined();
  });

  it('is not held up by parts that cannot be dropped', async () => {
    server.fault = ({ method, query }) =>
      query.get('partNumber') === '2' || method === 'DELETE' ? slowDown : undefined;

    await expect(store.put(key, [Buffer.alloc(17 * MEGABYTE)])).rejects.toMatchObject({
      code: 'object.unavailable',
    });

    expect(server.calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    server.contents.uploads.clear();
  });

  it('is away where nobody listens', async () => {
    const away = aStore({ endpoint: 'http://127.0.0.1:1' });

    await expect(away.prepare()).rejects.toMatchObject({ code: 'object.unavailable' });
    await expect(away.get(key)).rejects.toMatchObject({ code: 'object.unavailable' });
  });

  it('gives an address that reads the object as it is to be shown, to no other and not for ever', async () => {
    const { endpoint } = server;
    store = aStore({ publicEndpoint: endpoint });
    await store.prepare();
    await store.put(key, [Buffer.from('hello')]);
    const options = { mimeType: 'text/csv', contentDisposition: 'attachment; filename="a b.csv"' };
    const linkFor = async (expiresInSeconds: number) =>
      String(await store.link(key, { ...options, expiresInSeconds }));

    const url = await linkFor(60);

    const answer = await fetch(url);
    expect(await answer.text()).toBe('hello');
    expect(answer.headers.get('content-type')).toBe('text/csv');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="a b.csv"');
    const other = url.replace(key, randomUUID());
    expect((await fetch(other)).status).toBe(403);
    expect((await fetch(url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'))).status).toBe(403);
    const past = await linkFor(1);
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_000);
    const late = await fetch(past);
    jest.restoreAllMocks();
    expect(late.status).toBe(403);
  });

  it('makes addresses for the server as clients reach it, and none when nobody says how', async () => {
    const options = { expiresInSeconds: 60, mimeType: 'a/b', contentDisposition: 'x' };
    const seen = aStore({ publicEndpoint: 'https://files.example.com' });

    expect(new URL(String(await seen.link(key, options))).origin).toBe('https://files.example.com');
    expect(await store.link(key, options)).toBeUndefined();
  });

  it('drops uploads that nobody completed, the older ones alone', async () => {
    const bucket = `bucket-${buckets++}`;
    store = aStore({ bucket });
    await store.prepare();
    server.contents.now = () => new Date(1_000_000);
    for (let n = 0; n < 5; n++) server.contents.begin(bucket, `artifacts/${randomUUID()}`);
    server.contents.now = () => new Date();
    const younger = server.contents.begin(bucket, `artifacts/${randomUUID()}`);

    expect(await store.dropUnfinished(2_000_000)).toBe(5);

    expect([...server.contents.uploads.keys()]).toEqual([younger]);
    server.contents.uploads.clear();
  });
});
