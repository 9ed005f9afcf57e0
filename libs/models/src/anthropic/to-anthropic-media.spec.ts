import { toAnthropicMedia } from './to-anthropic-media';

describe('toAnthropicMedia', () => {
  it.each([
    [
      'an image, its bytes in either alphabet of base64',
      { inlineData: { mimeType: 'image/png', data: '-_-_QQ' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '+/+/QQ==' } },
    ],
    [
      'a PDF',
      { inlineData: { mimeType: 'application/pdf', data: 'QUJD' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'QUJD' } },
    ],
    [
      'a text file as its words',
      { inlineData: { mimeType: 'text/markdown; charset=utf-8', data: 'w6QK' } },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'ä\n' } },
    ],
    [
      'an image at an address',
      { fileData: { mimeType: 'image/webp', fileUri: 'https://example.org/a' } },
      { type: 'image', source: { type: 'url', url: 'https://example.org/a' } },
    ],
    [
      'a PDF of the Files API',
      { fileData: { mimeType: 'application/pdf', fileUri: 'file_01A' } },
      { type: 'document', source: { type: 'file', file_id: 'file_01A' } },
    ],
  ])('takes %s', (_what, part, block) => {
    expect(toAnthropicMedia(part)).toEqual(block);
  });

  it.each([
    ['audio/wav', { inlineData: { mimeType: 'audio/wav', data: 'QUJD' } }],
    ['video/mp4', { fileData: { mimeType: 'video/mp4', fileUri: 'https://example.org/a' } }],
    ['image/tiff', { inlineData: { mimeType: 'image/tiff', data: 'QUJD' } }],
    ['gs://bucket/a.png', { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/a.png' } }],
    ['file of the type ""', { fileData: { fileUri: 'https://example.org/a' } }],
  ])('refuses %s by its name', (name, part) => {
    expect(() => toAnthropicMedia(part)).toThrow(
      expect.objectContaining({ code: 'model.unsupported-part', message: expect.stringContaining(name) }),
    );
  });
});
