import { isUtf8 } from 'node:buffer';
import { AdkError, type Part } from '@skein/contracts';

/** A part as bytes of a type. */
export interface PartBytes {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** Not `text/plain` alone: bytes somebody saved under that type have to come back as bytes. */
const TEXT = 'text/plain; charset=utf-8';
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Text as UTF-8, inline data as what its base64 (standard or url-safe) stands for. */
export function bytesOfPart(part: Part): PartBytes {
  if (part.inlineData) {
    const { data, mimeType } = part.inlineData;
    if (!BASE64.test(data)) throw unfit('its inlineData is not base64');
    return { bytes: Buffer.from(data, 'base64'), mimeType };
  }
  if (part.text !== undefined) return { bytes: Buffer.from(part.text, 'utf8'), mimeType: TEXT };
  throw unfit('it has neither text nor inlineData');
}

/** The part as it was saved: text stored by us comes back as text, anything else as inline data in standard base64. */
export function partOfBytes({ bytes, mimeType }: PartBytes): Part {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mimeType === TEXT && isUtf8(buffer)) return { text: buffer.toString('utf8') };
  return { inlineData: { data: buffer.toString('base64'), mimeType } };
}

function unfit(reason: string): AdkError {
  return new AdkError('invalid', 'artifact.part', `This part cannot be an artifact: ${reason}.`);
}
