/// <reference types="jest" />
import { type Part } from '@skein/contracts';
import { type ArtifactService } from '@skein/engine';

/** What every ArtifactService does (B60). `makeService` gives an empty one to each test. */
export function artifactServiceContract(
  name: string,
  makeService: () => ArtifactService | Promise<ArtifactService>,
): void {
  const session = { appName: 'app', userId: 'u 1', sessionId: 's.1' };
  const report = { ...session, filename: 'report/ä b.txt' };
  const text = (value: string) => ({ text: value });

  describe(`${name}: the artifact contract`, () => {
    let service: ArtifactService;

    beforeEach(async () => {
      service = await makeService();
    });

    it('counts the versions of a name from 0 and keeps each of them', async () => {
      expect(await service.saveArtifact({ ...report, artifact: text('one') })).toBe(0);
      expect(await service.saveArtifact({ ...report, artifact: text('two') })).toBe(1);

      expect(await service.listVersions(report)).toEqual([0, 1]);
      expect(await service.loadArtifact({ ...report, version: 0 })).toEqual(text('one'));
      expect(await service.loadArtifact(report)).toEqual(text('two'));
    });

    it('gives bytes back as they were saved, with their type', async () => {
      const data = Buffer.from([0, 255, 128, 10]).toString('base64');
      const artifact = { inlineData: { mimeType: 'image/png', data } };

      await service.saveArtifact({ ...report, artifact });

      expect(await service.loadArtifact(report)).toEqual(artifact);
    });

    it('answers nothing for a name or a version that is not there', async () => {
      await service.saveArtifact({ ...report, artifact: text('one') });

      expect(await service.loadArtifact({ ...report, version: 1 })).toBeUndefined();
      expect(await service.loadArtifact({ ...report, filename: 'other' })).toBeUndefined();
      expect(await service.listVersions({ ...report, filename: 'other' })).toEqual([]);
    });

    it('keeps sessions apart, but shows a user: name in every session of its user', async () => {
      const shared = { ...session, filename: 'user:profile.txt' };
      const elsewhere = { ...session, sessionId: 's.2' };
      await service.saveArtifact({ ...report, artifact: text('mine') });
      await service.saveArtifact({ ...shared, artifact: text('me') });

      expect(await service.loadArtifact({ ...elsewhere, filename: report.filename })).toBeUndefined();
      expect(await service.loadArtifact({ ...elsewhere, filename: shared.filename })).toEqual(text('me'));
      expect(
        await service.loadArtifact({ ...elsewhere, userId: 'u 2', filename: shared.filename }),
      ).toBeUndefined();
    });

    it("lists the names of a session and of its user, sorted, nobody else's", async () => {
      for (const filename of ['user:z', 'b', 'a']) {
        await service.saveArtifact({ ...session, filename, artifact: text('x') });
      }
      await service.saveArtifact({ ...session, sessionId: 's.2', filename: 'c', artifact: text('x') });

      expect(await service.listArtifactKeys(session)).toEqual(['a', 'b', 'user:z']);
    });

    it('deletes every version of a name; twice does no harm', async () => {
      await service.saveArtifact({ ...report, artifact: text('one') });

      await service.deleteArtifact(report);
      await service.deleteArtifact(report);

      expect(await service.loadArtifact(report)).toBeUndefined();
      expect(await service.listArtifactKeys(session)).toEqual([]);
    });

    it.each(['../x', 'a/../../x', '/etc/passwd', '', 'a\0b', '.', 'user:../x', 'a\\..\\x'])(
      'refuses the unsafe name %j',
      async (filename) => {
        await expect(
          service.saveArtifact({ ...session, filename, artifact: text('x') }),
        ).rejects.toMatchObject({ code: 'artifact.name' });
      },
    );

    it.each([
      ['no field', {}],
      ['empty text', { text: '' }],
      ['empty bytes', { inlineData: { mimeType: 'image/png', data: '' } }],
    ])('loads a part with %s as nothing, though it is a version (B60)', async (_name, artifact) => {
      await service.saveArtifact({ ...report, artifact: text('one') });

      expect(await service.saveArtifact({ ...report, artifact })).toBe(1);

      expect(await service.loadArtifact(report)).toBeUndefined();
      expect(await service.loadArtifact({ ...report, version: 0 })).toEqual(text('one'));
      expect(await service.listVersions(report)).toEqual([0, 1]);
    });

    it('keeps a link to a file elsewhere as it is', async () => {
      const artifact = { fileData: { fileUri: 'gs://bucket/file.pdf', mimeType: 'application/pdf' } };

      await service.saveArtifact({ ...report, artifact });

      expect(await service.loadArtifact(report)).toEqual(artifact);
      expect(await service.getArtifactVersion(report)).toMatchObject({ mimeType: 'application/pdf' });
    });

    it('follows a reference to a version of the same user, in another session too (B60)', async () => {
      const elsewhere = { ...session, sessionId: 's.2', filename: 'user:folder/link' };
      await service.saveArtifact({ ...report, artifact: text('one') });
      await service.saveArtifact({ ...report, artifact: text('two') });
      const [first] = await service.listArtifactVersions(report);
      await service.saveArtifact({ ...elsewhere, artifact: linkTo(first?.canonicalUri) });
      const link = await service.getArtifactVersion(elsewhere);
      await service.saveArtifact({ ...elsewhere, filename: 'link', artifact: linkTo(link?.canonicalUri) });

      expect(await service.loadArtifact(elsewhere)).toEqual(text('one'));
      expect(await service.loadArtifact({ ...elsewhere, filename: 'link' })).toEqual(text('one'));
    });

    it('reads the addresses of adk-python (B60)', async () => {
      const plain = { appName: 'app', userId: 'ada', sessionId: 's1', filename: 'a.txt' };
      await service.saveArtifact({ ...plain, artifact: text('one') });
      const uri = 'artifact://apps/app/users/ada/sessions/s1/artifacts/a.txt/versions/0';

      expect(await service.getArtifactVersion(plain)).toMatchObject({ canonicalUri: uri });
      await service.saveArtifact({ ...plain, filename: 'link', artifact: linkTo(uri) });
      expect(await service.loadArtifact({ ...plain, filename: 'link' })).toEqual(text('one'));
    });

    it.each([
      ['another user', 'artifact://apps/app/users/eve/sessions/s.1/artifacts/x/versions/0'],
      ['another app', 'artifact://apps/other/users/u%201/sessions/s.1/artifacts/x/versions/0'],
      ['no version', 'artifact://apps/app/users/u%201/sessions/s.1/artifacts/x'],
      ['no session', 'artifact://apps/app/users/u%201/artifacts/x/versions/0'],
      ['nothing', 'artifact://'],
      ['what cannot be decoded', 'artifact://apps/app/users/%zz/sessions/s.1/artifacts/x/versions/0'],
    ])('refuses a reference to %s (B60)', async (_name, uri) => {
      await expect(service.saveArtifact({ ...report, artifact: linkTo(uri) })).rejects.toMatchObject({
        code: 'artifact.reference',
      });

      expect(await service.listVersions(report)).toEqual([]);
    });

    it('answers nothing for a reference to what is not there, and ends one that leads to itself (B60)', async () => {
      const itself = 'artifact://apps/app/users/u%201/sessions/s.1/artifacts/loop/versions/0';
      const nowhere = 'artifact://apps/app/users/u%201/sessions/s.1/artifacts/none/versions/7';
      await service.saveArtifact({ ...session, filename: 'loop', artifact: linkTo(itself) });
      await service.saveArtifact({ ...session, filename: 'dead', artifact: linkTo(nowhere) });

      expect(await service.loadArtifact({ ...session, filename: 'dead' })).toBeUndefined();
      await expect(service.loadArtifact({ ...session, filename: 'loop' })).rejects.toMatchObject({
        code: 'artifact.reference',
      });
    });

    it('tells of each version its type, its own metadata, its address and when it was saved', async () => {
      const png = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
      await service.saveArtifact({ ...report, artifact: text('one'), customMetadata: { by: 'ada', n: [1] } });
      await service.saveArtifact({ ...report, artifact: png });

      const versions = await service.listArtifactVersions(report);

      const createTime: unknown = expect.any(Number);
      const canonicalUri: unknown = expect.stringMatching(/^artifact:/);
      expect(versions).toEqual([
        {
          version: 0,
          mimeType: 'text/plain',
          customMetadata: { by: 'ada', n: [1] },
          canonicalUri,
          createTime,
        },
        { version: 1, mimeType: 'image/png', canonicalUri, createTime },
      ]);
      expect(await service.getArtifactVersion({ ...report, version: 0 })).toEqual(versions[0]);
      expect(await service.getArtifactVersion(report)).toEqual(versions[1]);
      expect(await service.getArtifactVersion({ ...report, version: 2 })).toBeUndefined();
      expect(await service.listArtifactVersions({ ...report, filename: 'other' })).toEqual([]);
    });

    it('gives versions without a gap to saves at the same time', async () => {
      const saves = Array.from({ length: 8 }, (_, n) =>
        service.saveArtifact({ ...report, artifact: text(String(n)) }),
      );

      expect((await Promise.all(saves)).sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    });
  });
}

function linkTo(fileUri = ''): Part {
  return { fileData: { fileUri } };
}
