import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AdkError, type ArtifactVersion, type RecordArtifact } from '@skein/contracts';
import { MemoryArtifactMetadata } from '@skein/testing';
import { ArtifactContents, type SaveContent } from './artifact-contents';
import { LocalObjectStore } from './local-object-store';
import { StoredArtifactService } from './stored-artifact-service';

const name = { appName: 'app', userId: 'ada', sessionId: 's', filename: 'report.csv' };
const request: SaveContent = { ...name, mimeType: 'text/csv', version: 'latest', limitBytes: 1_000 };

/** PostgreSQL that is away when it is asked to record, before or after it did. */
class FailingMetadata extends MemoryArtifactMetadata {
  failure: 'before' | 'after' | undefined;

  override async record(artifact: RecordArtifact): Promise<ArtifactVersion> {
    const away = new AdkError('unavailable', 'rpc.no-responders', 'away');
    if (this.failure === 'before') throw away;
    const recorded = await super.record(artifact);
    if (this.failure === 'after') throw away;
    return recorded;
  }
}

describe('ArtifactContents', () => {
  let directory: string;
  let metadata: FailingMetadata;
  let contents: ArtifactContents;
  let artifacts: StoredArtifactService;

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'skein-contents-'));
    const objects = new LocalObjectStore(directory);
    metadata = new FailingMetadata();
    contents = new ArtifactContents(objects, metadata);
    artifacts = new StoredArtifactService(objects, metadata);
  });
  afterEach(() => rm(directory, { recursive: true }));

  const save = (text: string, more: Partial<SaveContent> = {}) =>
    contents.save({ ...request, ...more }, [Buffer.from(text)]);

  async function load(more: object = {}): Promise<string | undefined> {
    const found = await contents.find({ ...name, ...more });
    const chunks: Uint8Array[] = [];
    const content: AsyncIterable<Uint8Array> | undefined = await found?.open();
    if (!content) return undefined;
    for await (const chunk of content) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  }

  async function storedFiles(): Promise<string[]> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  }

  it('saves versions, and gives each back as it was', async () => {
    expect(await save('one')).toMatchObject({ version: 0, mimeType: 'text/csv', sizeBytes: 3 });
    expect(await save('two')).toMatchObject({ version: 1 });

    expect(await load()).toBe('two');
    expect(await load({ version: 0 })).toBe('one');
    expect(await load({ version: 2 })).toBeUndefined();
    expect(await load({ filename: 'other' })).toBeUndefined();
  });

  it('gives the same version to the same content under a number, however often it comes', async () => {
    await save('one', { version: 0 });
    const files = await storedFiles();

    const again = await Promise.all([save('one', { version: 0 }), save('one', { version: 0 })]);

    expect(again.map(({ version }) => version)).toEqual([0, 0]);
    expect(await storedFiles()).toEqual(files);
  });

  it('makes no new version of what is the latest already, but of what was before it', async () => {
    const versions: number[] = [];
    for (const text of ['one', 'one', 'two', 'one']) versions.push((await save(text)).version);

    expect(versions).toEqual([0, 0, 1, 2]);
    expect((await save('one', { mimeType: 'text/plain' })).version).toBe(3);
    expect(await storedFiles()).toHaveLength(4);
  });

  it.each([
    ['a number that has other content', { version: 0 }, 'other', 'artifact.version'],
    ['a number that has it under another type', { version: 0, mimeType: 'a/b' }, 'one', 'artifact.version'],
    ['a number with a gap before it', { version: 2 }, 'one', 'artifact.version'],
    ['bytes that were not announced', { sha256: sha256('other') }, 'one', 'artifact.digest'],
    ['too many bytes', { limitBytes: 3 }, 'four', 'artifact.too-large'],
    ['no bytes', {}, '', 'artifact.empty'],
    ['row 6: a name that leads out', { filename: '../../etc/passwd' }, 'one', 'artifact.name'],
    [
      'a type that only a link has',
      { mimeType: 'application/vnd.skein.link+json; of=' },
      '{}',
      'artifact.part',
    ],
  ])('refuses %s, and keeps nothing of it', async (_what, more, text, code) => {
    await save('one');

    await expect(save(text, more)).rejects.toMatchObject({ code });

    expect(await storedFiles()).toHaveLength(1);
    expect(await metadata.versions(name)).toEqual([0]);
  });

  it('takes the bytes that were announced', async () => {
    expect(await save('one', { sha256: sha256('one') })).toMatchObject({ sha256: sha256('one') });
  });

  it('shows text of a client as text to a tool, and text of a tool as bytes to a client', async () => {
    await save('ü', { mimeType: 'text/plain;charset=UTF-8' });
    await artifacts.saveArtifact({ ...name, artifact: { text: 'ä' } });

    expect(await artifacts.loadArtifact({ ...name, version: 0 })).toEqual({ text: 'ü' });
    expect(await load()).toBe('ä');
    expect((await contents.find(name))?.version.mimeType).toBe('text/plain; charset=utf-8');
  });

  it('gives a range, and the whole after it', async () => {
    await save('0123456789');
    const found = await contents.find(name);

    let text = '';
    for await (const chunk of (await found?.open({ start: 2, end: 4 })) ?? []) text += String(chunk);

    expect(text).toBe('234');
    expect(await load()).toBe('0123456789');
  });

  it('follows a reference, within its app and user (B60)', async () => {
    await save('one');
    const fileUri = 'artifact://apps/app/users/ada/sessions/s/artifacts/report.csv/versions/0';
    await artifacts.saveArtifact({ ...name, filename: 'link', artifact: { fileData: { fileUri } } });

    expect(await load({ filename: 'link' })).toBe('one');
    expect((await contents.find({ ...name, filename: 'link' }))?.version.mimeType).toBe('text/csv');
  });

  it('ends a reference that leads to itself, and says of a link that it leads elsewhere', async () => {
    const itself = 'artifact://apps/app/users/ada/sessions/s/artifacts/loop/versions/0';
    const links = { loop: itself, far: 'gs://bucket/file.pdf' };
    for (const [filename, fileUri] of Object.entries(links)) {
      await artifacts.saveArtifact({ ...name, filename, artifact: { fileData: { fileUri } } });
    }

    await expect(load({ filename: 'loop' })).rejects.toMatchObject({ code: 'artifact.reference' });
    await expect(load({ filename: 'far' })).rejects.toMatchObject({ code: 'artifact.elsewhere' });
  });

  it('gives nothing of a version without content, as a tool sees it (B55)', async () => {
    await artifacts.saveArtifact({ ...name, artifact: { text: '' } });

    expect(await load()).toBeUndefined();
  });

  it('breaks off before the end when the bytes are not those that were saved', async () => {
    await save('one');
    const [file = ''] = await storedFiles();
    expect(await readFile(file, 'utf8')).toBe('one');
    await writeFile(file, 'eno');

    await expect(load()).rejects.toMatchObject({ code: 'artifact.bytes-damaged' });
    await expect(artifacts.loadArtifact(name)).rejects.toMatchObject({ code: 'artifact.bytes-damaged' });
  });

  it('row 37: finds bytes that their store shows a moment later', async () => {
    await save('one');
    const [file = ''] = await storedFiles();
    const aside = `${file}.aside`;
    await rename(file, aside);

    // As stores do: all of it at once.
    const [text] = await Promise.all([load(), rename(aside, file)]);

    expect(text).toBe('one');
  });

  it('row 38: a version that could not be recorded is not there, and its bytes wait to be collected', async () => {
    metadata.failure = 'before';

    await expect(save('one')).rejects.toMatchObject({ code: 'rpc.no-responders' });

    expect(await storedFiles()).toHaveLength(1);
    expect(await load()).toBeUndefined();
  });

  it('row 38: keeps the bytes of a version whose recording was not answered', async () => {
    metadata.failure = 'after';
    await expect(save('one')).rejects.toMatchObject({ code: 'rpc.no-responders' });
    metadata.failure = undefined;

    expect(await load()).toBe('one');
    expect(await save('one')).toMatchObject({ version: 0 });
  });
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
