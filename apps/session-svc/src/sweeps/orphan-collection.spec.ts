import { S3ObjectStore } from '@skein/artifact-store';
import { type Logger, Metrics, silentLogger } from '@skein/platform';
import { S3TestServer } from '@skein/testing';
import { OrphanCollection, type OrphanCollectionParts } from './orphan-collection';
import { ServiceMetrics } from '../service-metrics';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-01-02T12:00:00Z');

let server: S3TestServer;
let objects: S3ObjectStore;
/** As of the database of `aCollection`. */
const note = () => objects.put('skein-owner', [Buffer.from('installation-1')]);
beforeEach(async () => {
  server = await S3TestServer.start();
  objects = new S3ObjectStore({ endpoint: server.endpoint, ...server.credentials, bucket: 'test-bucket' });
  await objects.prepare();
});
afterEach(() => server.stop());

/** A database whose clock says NOW_MS, and that refers to these keys. */
function aCollection(referred: readonly string[] = [], more: Partial<OrphanCollectionParts> = {}) {
  const answers: Readonly<Record<string, (values: readonly unknown[]) => unknown[]>> = {
    'read-clock': () => [{ now_ms: NOW_MS }],
    'read-installation': () => [{ id: 'installation-1' }],
    'forget-dropped': () => [],
    'find-orphans': ([keys]) =>
      (keys as string[]).filter((key) => !referred.includes(key)).map((key) => ({ object_key: key })),
  };
  const pool = {
    query: async ({ name, values }: { readonly name: string; readonly values: readonly unknown[] }) => ({
      rows: answers[name]?.(values),
    }),
  } as unknown as OrphanCollectionParts['pool'];
  const registry = new Metrics();
  const metrics = new ServiceMetrics(registry);
  const parts = { pool, objects, metrics, graceMs: 24 * HOUR_MS, logger: silentLogger, ...more };
  return { collection: new OrphanCollection(parts), registry };
}

async function put(key: string, ageHours: number): Promise<string> {
  server.contents.now = () => new Date(NOW_MS - ageHours * HOUR_MS);
  await objects.put(key, [Buffer.from('x')]);
  return key;
}

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of objects.list()) if (key !== 'skein-owner') found.push(key);
  return found.sort();
}

describe('OrphanCollection', () => {
  beforeEach(note);

  it('row 38: deletes what nothing refers to once the grace is over, and nothing else', async () => {
    const referred = [await put('referred-old', 48), await put('referred-new', 1)];
    await put('orphan-old', 25);
    await put('orphan-in-grace', 23);
    const { collection, registry } = aCollection(referred);

    await collection.collect();
    await collection.collect();

    expect(await keys()).toEqual(['orphan-in-grace', 'referred-new', 'referred-old']);
    expect(await registry.render()).toContain('skein_orphans_collected_total 1');
  });

  it('goes by the clock of the database, not by its own', async () => {
    await put('orphan-in-grace', 23);
    jest.spyOn(Date, 'now').mockReturnValue(NOW_MS + 10_000 * HOUR_MS);

    await aCollection().collection.collect();

    jest.restoreAllMocks();
    expect(await keys()).toEqual(['orphan-in-grace']);
  });

  it('looks at all pages of a large store', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => put(`object-number-${n}`, 25)));

    await aCollection(all.slice(0, 4)).collection.collect();

    expect(await keys()).toEqual(all.slice(0, 4));
  });

  it('drops uploads that were never completed', async () => {
    for (const [name, hours] of [
      ['old', 25],
      ['new', 23],
    ] as const) {
      server.contents.now = () => new Date(NOW_MS - hours * HOUR_MS);
      server.contents.begin('test-bucket', `artifacts/upload-${name}`);
    }

    await aCollection().collection.collect();

    expect([...server.contents.uploads.values()].map(({ name }) => name)).toEqual(['artifacts/upload-new']);
  });

  it('goes on beside what cannot be deleted, and ends when nothing can', async () => {
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (_fields, message) => void warnings.push(message) };
    const stuck = await put('aa-stuck', 25);
    for (let n = 0; n < 12; n++) await put(`orphan-number-${n + 10}`, 25);
    server.contents.begin('test-bucket', 'artifacts/unfinished');
    const { collection } = aCollection([], { logger });
    const refuse = (isHit: (name: string) => boolean) => {
      server.fault = ({ method, name }) =>
        method === 'DELETE' && isHit(name) ? { status: 403, code: 'AccessDenied' } : undefined;
    };

    refuse((name) => !name.endsWith('unfinished'));
    await collection.collect();
    expect(warnings).toHaveLength(10);
    expect(server.contents.uploads.size).toBe(0);
    refuse((name) => name.endsWith(stuck));
    await collection.collect();

    expect(await keys()).toEqual([stuck]);
    expect(warnings).toHaveLength(11);
  });

  it('looks by itself, tells of a look that failed, and stops', async () => {
    const warnings: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (_fields, message) => void warnings.push(message) };
    await put('orphan-old', 25);
    let isAway = true;
    server.fault = () => (isAway ? { status: 403, code: 'AccessDenied' } : undefined);
    const { collection } = aCollection([], { graceMs: 40, logger });

    collection.start();
    while (warnings.length === 0) await nextMoment();
    isAway = false;
    while ((await keys()).length > 0) await nextMoment();
    await collection.stop();

    const asked = server.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(server.calls).toHaveLength(asked);
  });
});

describe('whose an object store is', () => {
  const owner = async () => Buffer.from((await objects.get('skein-owner')) ?? []).toString();

  it('is noted while it is empty, and counts once it has stayed', async () => {
    await aCollection().collection.collect();
    expect(await owner()).toBe('installation-1');
    await put('orphan-old', 25);

    await aCollection().collection.collect();

    expect(await keys()).toEqual([]);
  });

  it('is noted at the start, before the first look', async () => {
    const { collection } = aCollection();

    collection.start();
    while ((await owner()) === '') await nextMoment();
    await collection.stop();

    expect(await owner()).toBe('installation-1');
  });

  it('is known by an object of the database where the note is missing, and nothing is deleted then', async () => {
    const all = [await put('orphan-old', 48), await put('referred-old', 48)];
    const { collection } = aCollection(['referred-old']);

    await collection.collect();

    expect(await owner()).toBe('installation-1');
    expect(await keys()).toEqual(all);
    await collection.collect();
    expect(await keys()).toEqual(['referred-old']);
  });

  it('is not claimed by a database that knows nothing of what is in it', async () => {
    await put('somebody-elses', 48);
    const { collection } = aCollection(['elsewhere']);

    for (let look = 0; look < 2; look++) {
      await expect(collection.collect()).rejects.toMatchObject({
        code: 'object.owner',
        message: expect.stringContaining('"skein-owner" say installation-1') as unknown,
      });
    }

    expect(await keys()).toEqual(['somebody-elses']);
    expect(await owner()).toBe('');
  });

  it('is decided once between databases that find it empty at the same time', async () => {
    const { collection } = aCollection();
    await collection.collect();
    await objects.put('skein-owner', [Buffer.from('installation-2')]);
    await put('somebody-elses', 48);

    await expect(collection.collect()).rejects.toMatchObject({ code: 'object.owner' });

    expect(await keys()).toEqual(['somebody-elses']);
  });

  it('keeps a database it does not belong to from deleting anything', async () => {
    await put('somebody-elses', 48);
    server.contents.begin('test-bucket', 'artifacts/unfinished');
    await objects.put('skein-owner', [Buffer.from('installation-2')]);

    await expect(aCollection().collection.collect()).rejects.toMatchObject({ code: 'object.owner' });

    expect(await keys()).toEqual(['somebody-elses']);
    expect(server.contents.uploads.size).toBe(1);
  });
});

function nextMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
