/// <reference types="jest" />
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

    it('gives versions without a gap to saves at the same time', async () => {
      const saves = Array.from({ length: 8 }, (_, n) =>
        service.saveArtifact({ ...report, artifact: text(String(n)) }),
      );

      expect((await Promise.all(saves)).sort((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    });
  });
}
