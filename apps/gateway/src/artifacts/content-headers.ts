import type { ArtifactVersion } from '@skein/contracts';

/** Long enough to begin a download; one that has begun goes on. */
export const LINK_SECONDS = 300;

const MIME_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+([ \t]*;[ \t]*[\w!#$&^.+-]+=("[\x20\x21\x23-\x5b\x5d-\x7e]*"|[\w!#$&^.+-]+))*$/;
const MAX_TYPE_LENGTH = 255;
const USER_PREFIX = 'user:';

export interface ContentHeaders {
  readonly mimeType: string;
  readonly disposition: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function isMimeType(text: string): boolean {
  return text.length <= MAX_TYPE_LENGTH && MIME_TYPE.test(text);
}

/** What is said of a version's bytes. They are anybody's, so a browser is to save them, never to show or run them. */
export function contentHeaders(stored: ArtifactVersion): ContentHeaders {
  const { filename, version, mimeType, sha256, sniffedType } = stored;
  // Saved as a part, its type may be any text.
  const shown = isMimeType(mimeType) ? mimeType : 'application/octet-stream';
  const disposition = attachment(filename);
  return {
    mimeType: shown,
    disposition,
    headers: {
      'Content-Type': shown,
      'Content-Disposition': disposition,
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'private, no-cache',
      'Accept-Ranges': 'bytes',
      ETag: `"${sha256}"`,
      'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      'X-Artifact-Version': String(version),
      ...(sniffedType !== undefined && { 'X-Artifact-Sniffed-Type': sniffedType }),
    },
  };
}

/** RFC 6266: the name as it is for those who read UTF-8, and one of plain letters for the others. */
function attachment(filename: string): string {
  const name = filename.replace(USER_PREFIX, '').split('/').at(-1) ?? '';
  const plain = name.replaceAll(/[^\w .-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
