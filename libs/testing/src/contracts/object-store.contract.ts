/// <reference types="jest" />
import { createHash, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type ObjectStore } from '@skein/artifact-store';
import { type DefineCase } from './waivable';

const MEGABYTE = 1024 * 1024;
const SIZES = [
  ['nothing', 0],
  ['a byte', 1],
  ['some', 70_000],
  ['exactly one part', 8 * MEGABYTE],
  ['several parts', 17 * MEGABYTE + 3],
] as const;
const RANGES = [
  ['the first byte', 0, 0],
  ['a middle', 3, 6],
  ['the last byte', 9, 9],
  ['all', 0, 9],
] as const;

/** What every ObjectStore does. `makeStore` gives one that is prepared and empty to each test. */
export function objectStoreContract(
  name: string,
  makeStore: () => Promise<ObjectStore>,
  does: DefineCase = it,
): void {
  describe(`${name}: the contract of object stores`, () => {
    let store: ObjectStore;
    let key: string;

    beforeEach(async () => {
      store = await makeStore();
      key = randomUUID();
    });

    for (const [what, sizeBytes] of SIZES)
      does(`gives back what was put: ${what}`, async () => {
        const content = patternOf(sizeBytes);

        const stored = await store.put(key, inPieces(content, 100_003));

        expect(stored).toEqual({ sizeBytes, sha256: sha256(content) });
        expect(sha256(await store.get(key))).toBe(sha256(content));
        expect(await store.stat(key)).toMatchObject({ sizeBytes });
      });

    does('knows nothing of a key that was not put', async () => {
      expect(await store.get(key)).toBeUndefined();
      expect(await store.open(key, { start: 0, end: 0 })).toBeUndefined();
      expect(await store.stat(key)).toBeUndefined();
    });

    for (const [what, start, end] of RANGES)
      does(`gives a range: ${what}`, async () => {
        await store.put(key, [Buffer.from('0123456789')]);

        const content = await store.open(key, { start, end });

        expect(await textOf(content)).toBe('0123456789'.slice(start, end + 1));
      });

    does('keeps nothing of a source that fails, at its beginning or far into it', async () => {
      for (const sizeBytes of [0, 20 * MEGABYTE]) {
        const putting = store.put(key, failingAfter(sizeBytes));
        await expect(putting).rejects.toThrow('the source failed');
      }

      expect(await store.stat(key)).toBeUndefined();
      expect(await keysOf(store)).toEqual([]);
      expect(await store.dropUnfinished(Date.now() + 60_000)).toBe(0);
    });

    does('forgets a put that was begun and left, once it is old enough', async () => {
      const source = leftAfter(9 * MEGABYTE);
      const putting = store.put(key, source.content);
      putting.catch(() => undefined);
      await source.isLeft;

      expect(await store.dropUnfinished(Date.now() - 60_000)).toBe(0);
      expect(await store.dropUnfinished(Date.now() + 60_000)).toBe(1);

      source.goOn();
      await expect(putting).rejects.toBeDefined();
      expect(await store.get(key)).toBeUndefined();
    });

    does('deletes a key, and is harmless the second time', async () => {
      await store.put(key, [Buffer.from('x')]);

      await store.delete(key);
      await store.delete(key);

      expect(await store.get(key)).toBeUndefined();
    });

    does('lists what is there, by pages, with size and time', async () => {
      const began = Date.now();
      const keys = Array.from({ length: 8 }, () => randomUUID());
      for (const one of keys) await store.put(one, [Buffer.from('abc')]);

      const listed = await all(store.list());

      expect(listed.map((object) => object.key).sort()).toEqual([...keys].sort());
      for (const { sizeBytes, modifiedAtMs } of listed) {
        expect(sizeBytes).toBe(3);
        // S3 tells whole seconds.
        expect(Math.abs(modifiedAtMs - began)).toBeLessThan(60_000);
      }
    });

    does('is read by many, and put by many, at the same time', async () => {
      const contents = Array.from({ length: 12 }, (_, n) => patternOf(100_000 + n));
      const keys = contents.map(() => randomUUID());
      await Promise.all(contents.map((content, n) => store.put(keys[n] ?? '', [content])));

      const read = await Promise.all(keys.map((one) => store.get(one)));

      expect(read.map(sha256)).toEqual(contents.map(sha256));
    });

    does('lets go of what a reader does not read to its end', async () => {
      await store.put(key, [patternOf(2 * MEGABYTE)]);
      for (let n = 0; n < 20; n++) (await store.open(key))?.destroy();

      expect((await store.get(key))?.byteLength).toBe(2 * MEGABYTE);
    });

    does('goes on being prepared', async () => {
      await store.put(key, [Buffer.from('x')]);

      await store.prepare();

      expect(Buffer.from((await store.get(key)) ?? []).toString()).toBe('x');
    });

    it.each(['', 'short', '../../etc/passwd', 'UPPER-CASE-KEY', 'a/b/c/d/e/f', 'x'.repeat(129)])(
      'row 6: refuses the key %j',
      async (bad) => {
        await expect(store.put(bad, [])).rejects.toMatchObject({ code: 'object.key' });
        await expect(store.open(bad)).rejects.toMatchObject({ code: 'object.key' });
        await expect(store.delete(bad)).rejects.toMatchObject({ code: 'object.key' });
      },
    );
  });
}

/** Bytes no two parts of which are alike. */
function patternOf(sizeBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(sizeBytes);
  for (let n = 0; n < sizeBytes; n++) bytes[n] = (n * 31 + (n >> 11) + (n >> 20)) & 0xff;
  return bytes;
}

function* inPieces(bytes: Buffer, pieceBytes: number): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function* failingAfter(sizeBytes: number): AsyncIterable<Uint8Array> {
  for (let sent = 0; sent < sizeBytes; sent += MEGABYTE) yield Buffer.alloc(MEGABYTE);
  throw new Error('the source failed');
}

/** A source that stops there until it is told to go on. */
function leftAfter(sizeBytes: number) {
  const [left, goingOn] = [new EventEmitter(), new EventEmitter()];
  const isLeft = once(left, 'now');
  async function* content(): AsyncIterable<Uint8Array> {
    yield Buffer.alloc(sizeBytes);
    const goesOn = once(goingOn, 'now');
    left.emit('now');
    await goesOn;
    yield Buffer.from('the rest');
  }
  return { content: content(), isLeft, goOn: () => void goingOn.emit('now') };
}

async function textOf(content: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  return Buffer.concat(await all(content ?? [])).toString();
}

async function keysOf(store: ObjectStore): Promise<string[]> {
  return (await all(store.list())).map(({ key }) => key);
}

async function all<T>(items: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function sha256(bytes: Uint8Array | undefined): string {
  return createHash('sha256')
    .update(bytes ?? 'nothing')
    .digest('hex');
}
