import { mkdtemp, readdir, rm, utimes, writeFile, mkdir } from 'node:fs/promises';
import type * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { objectStoreContract } from '@skein/testing';
import { LocalObjectStore } from './local-object-store';
import { type ObjectStore } from './object-store';

const directories: string[] = [];

async function aDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'skein-objects-'));
  directories.push(directory);
  return directory;
}

afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))));

objectStoreContract('LocalObjectStore', async () => {
  const store = new LocalObjectStore(await aDirectory());
  await store.prepare();
  return store;
});

describe('LocalObjectStore', () => {
  it('drops what a process that died had begun, and nothing that is younger or whole', async () => {
    const directory = await aDirectory();
    const store = new LocalObjectStore(directory);
    await store.put('aa-whole-object', [Buffer.from('x')]);
    const folder = path.join(directory, 'aa');
    const file = (name: string) => path.join(folder, name);
    for (const name of ['aa-older-object.1.tmp', 'aa-younger-object.1.tmp'])
      await writeFile(file(name), 'half');
    await utimes(file('aa-older-object.1.tmp'), 1_000, 1_000);

    expect(await store.dropUnfinished(2_000_000)).toBe(1);

    expect((await readdir(folder)).sort()).toEqual(['aa-whole-object', 'aa-younger-object.1.tmp']);
  });

  it('says that it is the disk when it is', async () => {
    const directory = await aDirectory();
    // A folder where the file is to be: what the disk itself answers differs by who asks.
    await mkdir(path.join(directory, 'aa', 'aa-in-the-way'), { recursive: true });

    const putting = new LocalObjectStore(directory).put('aa-in-the-way', [Buffer.from('x')]);

    await expect(putting).rejects.toMatchObject({ code: 'EISDIR' });
    expect(await readdir(path.join(directory, 'aa'))).toEqual(['aa-in-the-way']);
  });

  it('syncs the folder of every folder that it makes', async () => {
    const directory = path.join(await aDirectory(), 'data', 'objects');
    const opened = jest.spyOn(jest.requireActual<typeof files>('node:fs/promises'), 'open');
    const store = new LocalObjectStore(directory);

    await store.prepare();
    await store.put('aa-some-object', [Buffer.from('x')]);

    const synced = opened.mock.calls.filter(([, flags]) => flags === 'r').map(([folder]) => folder);
    opened.mockRestore();
    const parent = path.dirname(directory);
    expect(synced).toEqual([parent, path.dirname(parent), directory, path.join(directory, 'aa')]);
  });

  it('lists what it put, and no other file that somebody left in its folder', async () => {
    const directory = await aDirectory();
    const store = new LocalObjectStore(directory);
    await store.put('aa-some-object', [Buffer.from('x')]);
    for (const name of ['README', '.DS_Store', '.nfs0000000001', 'bb-elsewhere', 'aa-unfinished.1.tmp'])
      await writeFile(path.join(directory, 'aa', name), '');

    const listed: string[] = [];
    for await (const { key } of store.list()) listed.push(key);

    expect(listed).toEqual(['aa-some-object']);
  });

  it('has no addresses', async () => {
    const store: ObjectStore = new LocalObjectStore(await aDirectory());
    const options = { expiresInSeconds: 60, mimeType: 'text/plain', contentDisposition: 'attachment' };

    expect(await store.link('aa-some-object', options)).toBeUndefined();
  });
});
