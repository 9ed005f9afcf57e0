/** As many of the first bytes as are looked at. */
export const SNIFFED_BYTES = 64;

const EXECUTABLE = 'application/x-executable';
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

/** What has these characters, of a byte each, at its beginning or so many bytes after it. */
const SIGNS: readonly (readonly [mimeType: string, sign: string, at?: number])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'WEBP', 8],
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
  ['application/gzip', '\x1f\x8b'],
  ['video/mp4', 'ftyp', 4],
  [EXECUTABLE, '\x7fELF'],
  [EXECUTABLE, 'MZ'],
  [EXECUTABLE, '\xcf\xfa\xed\xfe'],
  [EXECUTABLE, '#!'],
];

/** What begins so after white space. */
const MARKUP: readonly (readonly [mimeType: string, sign: RegExp])[] = [
  ['image/svg+xml', /^\s*<svg[\s>]/i],
  ['text/html', /^\s*<(!doctype html|html|head|body|script|iframe)[\s>]/i],
  ['text/xml', /^\s*<\?xml\s/],
];

/**
 * What the first bytes say they are, whatever their saver said; nothing for what has no sign. It is noted for those who
 * would open the content: nothing here does.
 */
export function sniffType(firstBytes: Uint8Array): string | undefined {
  const text = Buffer.from(firstBytes.subarray(0, SNIFFED_BYTES)).toString('latin1');
  const [signed] = SIGNS.find(([, sign, at = 0]) => text.startsWith(sign, at)) ?? [];
  if (signed !== undefined) return signed;
  const [markup] = MARKUP.find(([, sign]) => sign.test(text.replace(BYTE_ORDER_MARK, ''))) ?? [];
  return markup;
}
