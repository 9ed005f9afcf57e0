import { isUtf8 } from 'node:buffer';
import { AdkError, type Part, partSchema } from '@skein/contracts';

/** A part as bytes of a type. */
export interface PartBytes {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** Not `text/plain` alone: bytes somebody saved under that type have to come back as bytes. */
const TEXT = 'text/plain; charset=utf-8';
/** A part that only says where its content is; what follows is the type of that content. */
const LINK = 'application/vnd.skein.link+json; of=';
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** A part is whole in memory, as bytes and as base64, beside those of all other runs of its process. */
export const PART_LIMIT_BYTES = 32 * 1024 * 1024;

/** Throws `artifact.too-large` for what cannot be one part: such content is streamed (`…/content`). */
export function assertFitsPart(sizeBytes: number): void {
  if (sizeBytes <= PART_LIMIT_BYTES) return;
  throw new AdkError(
    'invalid',
    'artifact.too-large',
    `${sizeBytes} bytes are more than one part may hold (${PART_LIMIT_BYTES}): stream them, by …/versions/{version}/content.`,
  );
}

/** Text as UTF-8, inline data as what its base64 (standard or url-safe) stands for; an empty part as no bytes. */
export function bytesOfPart(part: Part): PartBytes {
  const { text, inlineData, fileData } = part;
  if (inlineData) {
    const { data, mimeType } = inlineData;
    if (!BASE64.test(data)) throw unfit('its inlineData is not base64');
    if (isLink(mimeType)) throw unfit('its type is reserved');
    return { bytes: Buffer.from(data, 'base64'), mimeType };
  }
  if (text !== undefined) return { bytes: Buffer.from(text, 'utf8'), mimeType: TEXT };
  if (fileData) {
    return { bytes: Buffer.from(JSON.stringify({ fileData })), mimeType: LINK + (fileData.mimeType ?? '') };
  }
  if (Object.values(part).every((value) => value === undefined))
    return { bytes: Buffer.of(), mimeType: TEXT };
  throw unfit('it has neither text nor inlineData nor fileData');
}

/** The part as it was saved: text stored by us comes back as text, anything else as inline data in standard base64. */
export function partOfBytes({ bytes, mimeType }: PartBytes): Part {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mimeType === TEXT && isUtf8(buffer)) return { text: buffer.toString('utf8') };
  if (isLink(mimeType)) return partSchema.parse(JSON.parse(buffer.toString('utf8')));
  return { inlineData: { data: buffer.toString('base64'), mimeType } };
}

/** A type as a client sent it, as it is kept; it may not be that of a link, which is read as one. */
export function storedMimeType(mimeType: string): string {
  if (isLink(mimeType)) throw unfit('its type is reserved');
  return /^text\/plain\s*;\s*charset="?utf-8"?$/i.test(mimeType) ? TEXT : mimeType;
}

export function isLink(mimeType: string): boolean {
  return mimeType.startsWith(LINK);
}

/** The type as its saver knows it, when there is one. */
export function shownMimeType(mimeType: string): string | undefined {
  if (mimeType === TEXT) return 'text/plain';
  return (isLink(mimeType) ? mimeType.slice(LINK.length) : mimeType) || undefined;
}

function unfit(reason: string): AdkError {
  return new AdkError('invalid', 'artifact.part', `This part cannot be an artifact: ${reason}.`);
}
