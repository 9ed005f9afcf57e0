import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalPayloadStore } from './local-payload-store';

const DAY_MS = 24 * 60 * 60_000;

describe('LocalPayloadStore', () => {
  let root: string;
  let directory: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'skein-payloads-'));
    directory = path.join(root, 'not', 'there', 'yet');
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('stores 20 payloads at once in a folder that has to be made first', async () => {
    const store = new LocalPayloadStore(directory);
    const texts = Array.from({ length: 20 }, (_none, i) => `payload ${i}`);

    const keys = await Promise.all(texts.map((text) => store.put(Buffer.from(text))));

    const read = await Promise.all(keys.map((key) => store.get(key, 100)));
    expect(read.map((bytes) => Buffer.from(bytes).toString())).toEqual(texts);
    expect(await readdir(directory)).toHaveLength(20);
  });

  it('says that it is unavailable while its folder is gone, and makes it again', async () => {
    const store = new LocalPayloadStore(directory);
    await store.put(Buffer.from('one'));
    await rm(root, { recursive: true });

    const failed = store.put(Buffer.from('two'));

    await expect(failed).rejects.toMatchObject({ kind: 'unavailable', code: 'payload.store' });
    const key = await store.put(Buffer.from('three'));
    expect(Buffer.from(await store.get(key, 100)).toString()).toBe('three');
  });

  it('says that it is unavailable when its folder cannot be made', async () => {
    await writeFile(path.join(root, 'file'), '');
    const store = new LocalPayloadStore(path.join(root, 'file', 'payloads'));

    const failures = [store.put(Buffer.from('one')), store.put(Buffer.from('two'))];

    for (const failure of failures) {
      await expect(failure).rejects.toMatchObject({ kind: 'unavailable', code: 'payload.store' });
    }
  });

  it('tells a payload that is not there from one that cannot be read', async () => {
    const store = new LocalPayloadStore(root);
    const [absent, unreadable] = [crypto.randomUUID(), crypto.randomUUID()];
    await mkdir(path.join(root, unreadable));

    await expect(store.get(absent, 100)).rejects.toMatchObject({
      kind: 'not_found',
      code: 'payload.missing',
    });
    await expect(store.get(unreadable, 100_000)).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'payload.store',
    });
  });

  it('removes what is older than three days, also what was never finished', async () => {
    const store = new LocalPayloadStore(root);
    const [old, young] = [await store.put(Buffer.from('old')), await store.put(Buffer.from('young'))];
    const long = new Date(Date.now() - 3.5 * DAY_MS);
    await writeFile(path.join(root, 'x.tmp'), '');
    for (const name of [old, 'x.tmp']) await utimes(path.join(root, name), long, long);

    await Promise.all([store.collectOld(), new LocalPayloadStore(root).collectOld()]);

    expect(await readdir(root)).toEqual([young]);
  });

  it('has nothing to remove where nothing was stored', async () => {
    await expect(new LocalPayloadStore(directory).collectOld()).resolves.toBeUndefined();
  });
});
