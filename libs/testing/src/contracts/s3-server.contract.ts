/// <reference types="jest" />
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type ObjectStore, S3ObjectStore, type S3Settings } from '@skein/artifact-store';
import { TcpProxy } from '../tcp-proxy';
import { objectStoreContract } from './object-store.contract';
import { type FindWaived, waivable } from './waivable';

/** How a server is reached; each test has a bucket of its own. */
export type S3Server = Omit<S3Settings, 'bucket'>;

const MEGABYTE = 1024 * 1024;
const SHOWN = { mimeType: 'text/csv', contentDisposition: 'attachment; filename="a b.csv"' };
/** For a network that a test takes away: tried again soon. */
const EAGER = { attempts: 8, firstDelayMs: 20, maxDelayMs: 200, idleMs: 15_000 };

/**
 * What S3ObjectStore does with a server: all that an object store does, and what only a server can refuse, sign, or lose on
 * the way. `findServer` is asked once the tests run.
 */
export function s3ServerContract(
  name: string,
  findServer: () => Promise<S3Server>,
  findWaived: FindWaived = async () => ({}),
): void {
  const aStore = async (settings: Partial<S3Settings> = {}): Promise<S3ObjectStore> => {
    const server = await findServer();
    return new S3ObjectStore({ publicEndpoint: server.endpoint, ...server, bucket: aBucket(), ...settings });
  };
  const aPreparedStore = async (settings: Partial<S3Settings> = {}): Promise<S3ObjectStore> => {
    const store = await aStore(settings);
    await store.prepare();
    return store;
  };

  const { does, expectToBeCases } = waivable(findWaived);
  objectStoreContract(name, aPreparedStore, does);

  describe(`${name}: the contract of S3 servers`, () => {
    const key = randomUUID();
    const one = [Buffer.from('x')];

    does('makes its bucket, once, whoever else makes it at the same time', async () => {
      const bucket = aBucket();
      const stores = await Promise.all([1, 2, 3].map(() => aStore({ bucket })));

      await Promise.all(stores.map((store) => store.prepare()));

      for (const [n, store] of stores.entries()) await store.put(`${key}-${n}`, one);
      expect(await keysOf(stores[0])).toHaveLength(3);
    });

    does('makes its bucket where it is missing, and goes on', async () => {
      const store = await aStore();

      await store.put(key, one);

      expect(await keysOf(store)).toEqual([key]);
    });

    does('is refused with a wrong secret, at once', async () => {
      const store = await aStore({ secretKey: 'a-wrong-secret' });

      await expect(store.prepare()).rejects.toMatchObject({ code: 'object.refused' });
      await expect(store.put(key, one)).rejects.toMatchObject({
        code: 'object.refused',
        message: 'The object store refused the request: SignatureDoesNotMatch.',
      });
    });

    does('is refused under a name that nobody has', async () => {
      const store = await aStore({ accessKey: 'nobody' });

      await expect(store.prepare()).rejects.toMatchObject({ code: 'object.refused' });
    });

    does('lists everything, over all pages', async () => {
      const store = await aPreparedStore({ listPageSize: 5 });
      const keys = Array.from({ length: 13 }, () => randomUUID());
      await Promise.all(keys.map((each) => store.put(each, one)));

      expect((await keysOf(store)).sort()).toEqual(keys.sort());
    });

    does('gives an address that reads the object as it is to be shown, and a range of it', async () => {
      const store = await aPreparedStore();
      await store.put(key, [Buffer.from('0123456789')]);

      const url = await linkTo(store, key, 60);

      const answer = await fetch(url);
      expect([answer.status, await answer.text()]).toEqual([200, '0123456789']);
      expect(answer.headers.get('content-type')).toMatch(/^text\/csv(;|$)/);
      expect(answer.headers.get('content-disposition')).toBe(SHOWN.contentDisposition);
      const range = await fetch(url, { headers: { range: 'bytes=2-4' } });
      expect([range.status, await range.text()]).toEqual([206, '234']);
    });

    does('gives an address to nothing else, with no other head, and for no longer', async () => {
      const store = await aPreparedStore();
      const other = randomUUID();
      for (const each of [key, other]) await store.put(each, one);

      const url = await linkTo(store, key, 60);
      const changed = [
        url.replace(key, other),
        url.replace('text%2Fcsv', 'text%2Fhtml'),
        url.replace('X-Amz-Expires=60', 'X-Amz-Expires=6000'),
      ];

      for (const each of changed) {
        expect(each).not.toBe(url);
        expect((await fetch(each)).status).toBe(403);
      }
      expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
    });

    does(
      'gives an address that ends',
      async () => {
        const store = await aPreparedStore();
        await store.put(key, one);

        const url = await linkTo(store, key, 2);

        expect((await fetch(url)).status).toBe(200);
        // Its clock counts, which may be some seconds away from ours.
        const endsMs = performance.now() + 20_000;
        let status = 200;
        while (status === 200 && performance.now() < endsMs) {
          await pause(250);
          status = (await fetch(url)).status;
        }
        expect(status).toBe(403);
      },
      30_000,
    );

    it('has every case that is waived', expectToBeCases);

    describe('over a network that fails', () => {
      let proxy: TcpProxy;
      let settings: S3Settings;
      let store: ObjectStore;

      beforeEach(async () => {
        const server = await findServer();
        const bucket = aBucket();
        await aPreparedStore({ bucket });
        proxy = await TcpProxy.before(server.endpoint);
        settings = { ...server, endpoint: proxy.through(server.endpoint), bucket };
        store = new S3ObjectStore(settings, EAGER);
      });
      afterEach(() => proxy.close());

      for (const how of ['rst', 'fin'] as const)
        does(`row 37: is read to its end when connections end on the way: ${how}`, async () => {
          const content = Buffer.alloc(6 * MEGABYTE, 'abcdefg');
          await store.put(key, [content]);
          const cut = cutEvery(proxy, 2 * MEGABYTE, 'server', how);

          const read = await store.get(key);

          expect(cut()).toBeGreaterThan(1);
          expect(content.equals(read ?? Buffer.of())).toBe(true);
        });

      does('row 37: is put as a whole when connections end on the way', async () => {
        const content = Buffer.alloc(20 * MEGABYTE, 'abcdefg');
        const cut = cutEvery(proxy, 11 * MEGABYTE, 'client', 'rst');

        const stored = await store.put(key, [content]);

        expect(cut()).toBeGreaterThan(0);
        expect(stored.sizeBytes).toBe(content.byteLength);
        proxy.tap(undefined);
        expect(content.equals((await store.get(key)) ?? Buffer.of())).toBe(true);
        expect(await store.dropUnfinished(Date.now() + 60_000)).toBe(0);
      });

      does('row 37: is read and put over new connections when those there are half-open', async () => {
        const impatient = new S3ObjectStore(settings, { ...EAGER, idleMs: 2_000 });
        await impatient.put(key, one);

        proxy.hold('existing');

        expect(await impatient.get(key)).toEqual(one[0]);
        proxy.hold('existing');
        await impatient.put(randomUUID(), one);
      });

      does('row 37: is away while nobody answers, and is there again afterwards', async () => {
        await store.put(key, one);
        const soon = new S3ObjectStore(settings, { ...EAGER, attempts: 2, idleMs: 300 });
        proxy.hold();
        await expect(soon.get(key)).rejects.toMatchObject({ kind: 'deadline', code: 'object.timeout' });
        proxy.refuse();
        await expect(soon.get(key)).rejects.toMatchObject({
          kind: 'unavailable',
          code: 'object.unavailable',
        });

        proxy.resume();

        expect(await store.get(key)).toEqual(one[0]);
      });

      does('row 37: is slow, and not taken for silent, where every packet is late', async () => {
        proxy.delay(50);
        const content = Buffer.alloc(3 * MEGABYTE, 'abcdefg');

        await store.put(key, [content]);

        expect(content.equals((await store.get(key)) ?? Buffer.of())).toBe(true);
      });
    });
  });
}

/** Ends all connections whenever so many more bytes came from one side; answers how often it did. */
function cutEvery(
  proxy: TcpProxy,
  everyBytes: number,
  side: 'client' | 'server',
  how: 'rst' | 'fin',
): () => number {
  let [passedBytes, cuts] = [0, 0];
  proxy.tap((chunk, from) => {
    if (from === side) passedBytes += chunk.byteLength;
    if (passedBytes < everyBytes) return 'pass';
    passedBytes = 0;
    cuts += 1;
    if (how === 'rst') return 'cut';
    proxy.cut(how);
    return 'pass';
  });
  return () => cuts;
}

async function linkTo(store: ObjectStore, key: string, expiresInSeconds: number): Promise<string> {
  return String(await store.link(key, { ...SHOWN, expiresInSeconds }));
}

function aBucket(): string {
  return `contract-${randomUUID()}`;
}

async function keysOf(store: ObjectStore | undefined): Promise<string[]> {
  const keys: string[] = [];
  for await (const object of store?.list() ?? []) keys.push(object.key);
  return keys;
}
