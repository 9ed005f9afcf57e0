import { toOpenAIPart } from './to-openai-part';

const bytes = (mimeType: string, more: object = {}) => ({
  inlineData: { mimeType, data: '-_-_QUJD', ...more },
});

describe('toOpenAIPart', () => {
  it.each([
    ['image/png', { type: 'image_url', image_url: { url: 'data:image/png;base64,+/+/QUJD' } }],
    ['audio/wav', { type: 'input_audio', input_audio: { data: '+/+/QUJD', format: 'wav' } }],
    ['audio/mpeg', { type: 'input_audio', input_audio: { data: '+/+/QUJD', format: 'mp3' } }],
    [
      'application/pdf',
      { type: 'file', file: { filename: 'file.pdf', file_data: 'data:application/pdf;base64,+/+/QUJD' } },
    ],
  ])('sends %s', (mimeType, expected) => {
    expect(toOpenAIPart(bytes(mimeType))).toEqual(expected);
  });

  it('sends the name of a file, and text as what it says', () => {
    expect(toOpenAIPart(bytes('application/pdf', { displayName: 'bill.pdf' }))).toMatchObject({
      file: { filename: 'bill.pdf' },
    });
    const data = Buffer.from('a;ö').toString('base64url');
    expect(toOpenAIPart({ inlineData: { mimeType: 'text/csv; charset=utf-8', data } })).toEqual({
      type: 'text',
      text: 'a;ö',
    });
  });

  it.each([
    [{ fileUri: 'https://x.org/a', mimeType: 'image/png' }, { image_url: { url: 'https://x.org/a' } }],
    [{ fileUri: 'https://x.org/a.JPG?x=1' }, { image_url: { url: 'https://x.org/a.JPG?x=1' } }],
    [{ fileUri: 'file-abc123', mimeType: 'application/pdf' }, { file: { file_id: 'file-abc123' } }],
  ])('sends an address: %j', (fileData, expected) => {
    expect(toOpenAIPart({ fileData })).toMatchObject(expected);
  });

  it.each([
    ['video/mp4', bytes('video/mp4')],
    ['audio/flac', bytes('audio/flac')],
    ['gs://b/a.png', { fileData: { fileUri: 'gs://b/a.png', mimeType: 'image/png' } }],
    ['application/pdf', { fileData: { fileUri: 'https://x.org/a.pdf', mimeType: 'application/pdf' } }],
    ['somethingNew', { somethingNew: {} }],
  ])('refuses what the API has no part for, and names it: %s', (what, part) => {
    expect(() => toOpenAIPart(part)).toThrow(
      expect.objectContaining({ code: 'model.unsupported-part', message: expect.stringContaining(what) }),
    );
  });
});
