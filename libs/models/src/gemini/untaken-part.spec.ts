import { type Part } from '@skein/contracts';
import { aRequest } from '@skein/testing';
import { toGeminiRequest } from './to-gemini-request';

const UNTAKEN: readonly (readonly [what: string, part: Part])[] = [
  ['image/x-unheard-of', { inlineData: { mimeType: 'image/x-unheard-of', data: 'QUJD' } }],
  ['application/zip', { fileData: { mimeType: 'application/zip', fileUri: 'https://example.org/a.zip' } }],
  ['without its bytes', { inlineData: { mimeType: 'image/png', data: '' } }],
  ['hologram', { hologram: {} }],
];
const user = (...parts: Part[]) => ({ role: 'user', parts });

describe('a part that Gemini has no form for', () => {
  it.each(UNTAKEN)('is refused by name in the newest content: %s', (what, part) => {
    expect(() => sent([user({ text: 'hm' }, part)])).toThrow(
      expect.objectContaining({ code: 'model.unsupported-part', message: expect.stringContaining(what) }),
    );
  });

  it.each(UNTAKEN)('is told of in text before, so that the session goes on: %s', (what, part) => {
    expect(sent([user({ text: 'hm' }, part), user({ text: 'Never mind.' })])).toEqual([
      user({ text: 'hm' }, { text: expect.stringContaining(what) }),
      user({ text: 'Never mind.' }),
    ]);
  });
});

it.each(['image/jpeg', 'audio/L16;rate=24000', 'video/mp4', 'text/x-python', 'application/pdf', ''])(
  'a file of the type "%s" is taken',
  (mimeType) => {
    const part = { fileData: { mimeType, fileUri: 'gs://b/a' } };

    expect(sent([user(part)])).toMatchObject([user(part)]);
  },
);

function sent(contents: ReturnType<typeof user>[]) {
  return toGeminiRequest(aRequest({ contents }), { model: 'gemini-2.5-flash' }).parameters.contents;
}
