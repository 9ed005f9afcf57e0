import { type Part } from '@skein/contracts';
import { aRequest } from '@skein/testing';
import { toGeminiRequest } from './to-gemini-request';

const UNTAKEN: readonly (readonly [what: string, part: Part, named: string])[] = [
  [
    'image/x-unheard-of',
    { inlineData: { mimeType: 'image/x-unheard-of', data: 'QUJD' } },
    'image/x-unheard-of',
  ],
  [
    'application/zip',
    { fileData: { mimeType: 'application/zip', fileUri: 'https://example.org/a.zip' } },
    'application/zip',
  ],
  ['without its bytes', { inlineData: { mimeType: 'image/png', data: '' } }, 'image/png'],
  ['hologram', { hologram: {} }, 'hologram'],
];
const user = (...parts: Part[]) => ({ role: 'user', parts });

describe('a part that Gemini has no form for', () => {
  it.each(UNTAKEN)('is refused by name in the newest content: %s', (what, part) => {
    expect(() => sent([user({ text: 'hm' }, part)])).toThrow(
      expect.objectContaining({ code: 'model.unsupported-part', message: expect.stringContaining(what) }),
    );
  });

  it.each(UNTAKEN)('is told of in text before, so that the session goes on: %s', (_what, part, named) => {
    expect(sent([user({ text: 'hm' }, part), user({ text: 'Never mind.' })])).toEqual([
      user({ text: 'hm' }, { text: `[Not shown to this model: ${named}]` }),
      user({ text: 'Never mind.' }),
    ]);
  });

  it('is told of in text where a tool made it, behind the response, which holds media alone', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'QUJD' } };
    const zip = { inlineData: { mimeType: 'application/zip', data: 'QUJD' } };
    const call = (id: string) => ({ functionCall: { id, name: 'f', args: {} } });
    const response = (id: string, ...parts: Part[]) => ({
      functionResponse: { id, name: 'f', response: { ok: true }, ...(parts.length > 0 ? { parts } : {}) },
    });
    const asked = [user({ text: 'hi' }), { role: 'model', parts: [call('a'), call('b')] }];

    const told = sent([...asked, user(response('a', zip, image, { text: 'Two.' }), response('b', zip))]);

    const standIn = { text: '[Not shown to this model: application/zip]' };
    expect(told).toMatchObject([
      ...asked,
      user(response('a', image), response('b')),
      user(standIn, { text: 'Two.' }, standIn),
    ]);
    expect(told).not.toHaveProperty('2.parts.1.functionResponse.parts');
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
