/// <reference types="jest" />
import { type Content } from '@skein/contracts';
import { type MediaType, type ProviderDialect } from '../../providers/provider-dialect';
import { type Trial, user } from './trial';

const MEDIA: readonly MediaType[] = ['image/png', 'audio/wav', 'application/pdf'];

/** Parts that are not text arrive, or are refused by name before anything is sent. */
export function partCases(trial: Trial, dialect: ProviderDialect): void {
  for (const mimeType of MEDIA) {
    const contents = [user('What is this?', { inlineData: { mimeType, data: '-_-_QUJD' } })];

    if (dialect.lacks.includes(mimeType)) {
      it(`of ${mimeType} is refused, since there is no such input`, async () => {
        await expectRefusal(trial, contents, mimeType);
      });
    } else {
      it(`of ${mimeType} arrives, its bytes in either alphabet of base64`, async () => {
        const { turns } = await trial.heard({ contents });

        expect(turns[0]?.parts).toMatchObject([
          { text: 'What is this?' },
          { media: { data: '+/+/QUJD', mimeType } },
        ]);
      });
    }
  }

  it('of a type that no provider knows is refused, here or there', async () => {
    const contents = [user('hm', { inlineData: { mimeType: 'image/x-unheard-of', data: 'QUJD' } })];

    expect((await trial.failure({ contents })).message).toContain('image/x-unheard-of');
  });

  const fileData = { mimeType: 'image/png', fileUri: 'https://example.org/cat.png' };
  const contents = [user('What is this?', { fileData })];
  if (dialect.lacks.includes('file')) {
    it('that is an address is refused, since there is no such input', async () => {
      await expectRefusal(trial, contents, fileData.fileUri);
    });
  } else {
    it('that is an address arrives as one', async () => {
      const { turns } = await trial.heard({ contents });

      expect(turns[0]?.parts[1]).toMatchObject({ media: { uri: fileData.fileUri } });
    });
  }
}

async function expectRefusal(trial: Trial, contents: Content[], naming: string): Promise<void> {
  const { code, message } = await trial.failure({ contents });

  expect(code).toBe('model.unsupported-part');
  expect(message).toContain(naming);
  expect(trial.server.received).toEqual([]);
}
