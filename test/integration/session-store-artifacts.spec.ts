import { randomUUID } from 'node:crypto';
import { type RecordArtifact } from '@skein/contracts';
import {
  createSession,
  deleteArtifact,
  deleteSession,
  findOrphans,
  forgetDropped,
  listArtifacts,
  listArtifactVersions,
  readInstallation,
  recordArtifact,
  rewindSession,
} from '@skein/session-store';
import { aKey, anEvent, startTestDatabase, type TestDatabase } from './session-store-harness';

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.stop());

function anArtifact(overrides: Partial<RecordArtifact> = {}): RecordArtifact {
  return {
    ...aKey(),
    filename: 'a.txt',
    objectKey: randomUUID(),
    mimeType: 'text/plain',
    sizeBytes: 1,
    sha256: 'x'.repeat(64),
    ...overrides,
  };
}

const record = (artifact: RecordArtifact) => recordArtifact(database.pool, artifact);
const versionsOf = (artifact: RecordArtifact) => listArtifactVersions(database.pool, artifact);
const another = () => ({ objectKey: randomUUID(), sha256: randomUUID() });

describe('recording an artifact', () => {
  it('gives a save that is done again its first version and object', async () => {
    const first = anArtifact({ saveKey: 'call-1' });
    const versions = [
      await record(first),
      await record({ ...first, ...another() }),
      await record({ ...first, ...another(), saveKey: 'call-2' }),
      await record({ ...first, ...another(), saveKey: undefined }),
      await record({ ...first, ...another(), saveKey: undefined }),
    ];

    expect(versions.map(({ version }) => version)).toEqual([0, 0, 1, 2, 3]);
    expect(versions[1]?.objectKey).toBe(first.objectKey);
  });

  it('takes the same save key for two names and two sessions as two saves', async () => {
    const first = anArtifact({ saveKey: 'call-1' });
    await record(first);

    for (const place of [{ filename: 'b.txt' }, { sessionId: randomUUID() }]) {
      const objectKey = randomUUID();
      expect(await record({ ...first, ...place, objectKey })).toMatchObject({ version: 0, objectKey });
    }
  });

  it('takes a number that is the next one, and the same content under one that is there', async () => {
    const first = anArtifact({ version: 0 });
    await record(first);

    expect(await record({ ...first, objectKey: randomUUID() })).toMatchObject({
      version: 0,
      objectKey: first.objectKey,
    });
    expect(await record({ ...first, ...another(), version: 1 })).toMatchObject({ version: 1 });
    for (const wrong of [
      { ...another() },
      { mimeType: 'a/b' },
      { version: 3 },
      { ...another(), version: 3 },
    ]) {
      await expect(record({ ...first, objectKey: randomUUID(), ...wrong })).rejects.toMatchObject({
        kind: 'conflict',
        code: 'artifact.version',
      });
    }
    expect(await versionsOf(first)).toEqual([0, 1]);
  });

  it('gives what is the latest already no new version, and one to what was before it', async () => {
    const first = anArtifact({ version: 'latest' });
    const second = { ...first, ...another() };
    const versions: number[] = [];
    for (const artifact of [first, first, second, second, first]) {
      versions.push((await record({ ...artifact, objectKey: randomUUID() })).version);
    }

    expect(versions).toEqual([0, 0, 1, 1, 2]);
  });

  it('makes one version of the same content sent by several at once under one number', async () => {
    const first = anArtifact({ version: 0 });

    const saved = await Promise.all(
      Array.from({ length: 6 }, () => record({ ...first, objectKey: randomUUID() })),
    );

    expect(saved.map(({ version }) => version)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(new Set(saved.map(({ objectKey }) => objectKey)).size).toBe(1);
  });

  it('gives each of a crowd of savers a version of its own', async () => {
    const first = anArtifact();

    const saved = await Promise.all(Array.from({ length: 40 }, () => record({ ...first, ...another() })));

    const versions = saved.map(({ version }) => version).sort((one, other) => one - other);
    expect(versions).toEqual(Array.from({ length: 40 }, (_, version) => version));
  });

  it('refuses bad data', async () => {
    const bad = anArtifact({ customMetadata: { bad: 'a\u0000b' } });

    await expect(record(bad)).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('refuses the object of another name', async () => {
    const first = anArtifact();
    await record(first);

    for (const place of [{ filename: 'b.txt' }, { userId: 'eve' }, { sessionId: randomUUID() }]) {
      await expect(record({ ...first, ...place })).rejects.toMatchObject({ code: 'artifact.deleted' });
    }
    expect((await record(first)).version).toBe(0);
  });
});

describe('a request to record that comes late or again', () => {
  it('does not bring back what was deleted since', async () => {
    const first = anArtifact();
    await record(first);
    expect(await deleteArtifact(database.pool, first)).toEqual([first.objectKey]);

    await expect(record(first)).rejects.toMatchObject({ kind: 'conflict', code: 'artifact.deleted' });

    expect(await versionsOf(first)).toEqual([]);
    expect((await record({ ...first, ...another() })).version).toBe(0);
  });

  it('does not record an object that was refused', async () => {
    const first = anArtifact({ version: 0 });
    await record(first);
    const refused = { ...first, ...another(), version: 2 };
    await expect(record(refused)).rejects.toMatchObject({ code: 'artifact.version' });
    await record({ ...first, ...another(), version: 1 });

    await expect(record(refused)).rejects.toMatchObject({ code: 'artifact.deleted' });

    expect(await versionsOf(first)).toEqual([0, 1]);
  });

  it('does not record an object in whose place another was answered', async () => {
    const first = anArtifact({ saveKey: 'call-1' });
    const second = { ...first, objectKey: randomUUID() };
    await record(first);
    expect((await record(second)).objectKey).toBe(first.objectKey);
    await deleteArtifact(database.pool, first);

    await expect(record(second)).rejects.toMatchObject({ code: 'artifact.deleted' });
  });

  it('is known by its object for as long as it may come, and no longer', async () => {
    const first = anArtifact();
    await record(first);
    await deleteArtifact(database.pool, first);

    await forgetDropped(database.pool, Date.now() - 60_000);
    await expect(record(first)).rejects.toMatchObject({ code: 'artifact.deleted' });
    await forgetDropped(database.pool, Date.now() + 60_000);

    expect((await record(first)).version).toBe(0);
  });
});

describe('the artifacts of a session', () => {
  it('go with it, so that one of the same id has none; those of its user stay (B60)', async () => {
    const key = aKey({ userId: randomUUID() });
    const [own, users, others] = [
      anArtifact(key),
      anArtifact({ ...key, filename: 'user:a.txt' }),
      anArtifact({ ...key, sessionId: randomUUID() }),
    ];
    for (const artifact of [own, users, others]) await record(artifact);
    await createSession(database.pool, { ...key, state: {} });

    await deleteSession(database.pool, key);
    await createSession(database.pool, { ...key, state: {} });

    expect(await listArtifacts(database.pool, key)).toEqual(['user:a.txt']);
    expect(await versionsOf(others)).toEqual([0]);
    expect(await findOrphans(database.pool, [own.objectKey, users.objectKey])).toEqual([own.objectKey]);
    await expect(record(own)).rejects.toMatchObject({ code: 'artifact.deleted' });
  });

  it('are restored by a rewind while others are saved under their names (B55)', async () => {
    const key = aKey();
    const first = anArtifact(key);
    const saidIn = (invocationId: string, version: number) => {
      const event = anEvent({ invocationId });
      return { ...event, actions: { ...event.actions, artifactDelta: { [first.filename]: version } } };
    };
    await createSession(database.pool, { ...key, state: {}, events: [saidIn('e-1', 0), saidIn('e-2', 1)] });
    for (const artifact of [first, { ...first, ...another() }]) await record(artifact);

    const rewinding = { ...key, eventId: randomUUID(), rewindBeforeInvocationId: 'e-2' };
    await Promise.all([
      rewindSession(database.pool, rewinding),
      ...Array.from({ length: 30 }, () => record({ ...first, ...another() })),
    ]);

    expect(await versionsOf(first)).toEqual(Array.from({ length: 33 }, (_, version) => version));
  });
});

describe('orphaned objects', () => {
  it('row 38: are those no version refers to', async () => {
    const { objectKey } = await record(anArtifact());
    const orphan = randomUUID();

    expect(await findOrphans(database.pool, [objectKey, orphan])).toEqual([orphan]);
    expect(await findOrphans(database.pool, [])).toEqual([]);
  });

  it('are looked up in an index', async () => {
    const client = await database.pool.connect();
    await client.query('SET enable_seqscan = off');

    const { rows } = await client.query<Record<string, string>>(
      `EXPLAIN SELECT FROM unnest(ARRAY['a']) AS k(object_key)
        WHERE NOT EXISTS (SELECT FROM adk_artifacts a WHERE a.object_key = k.object_key)`,
    );
    client.release(true);

    expect(JSON.stringify(rows)).toContain('adk_artifacts_object_key');
  });

  it('are of one database, which knows its id', async () => {
    const id = await readInstallation(database.pool);

    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(await readInstallation(database.pool)).toBe(id);
  });
});
