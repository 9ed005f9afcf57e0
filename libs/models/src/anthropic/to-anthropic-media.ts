import type {
  Base64ImageSource,
  DocumentBlockParam,
  ImageBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { type Part } from '@skein/contracts';
import { unsupportedPart } from '../request/unsupported-part';

type Media = ImageBlockParam | DocumentBlockParam;
type ImageType = Base64ImageSource['media_type'];

const IMAGES: readonly string[] = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
] satisfies ImageType[];
const PDF = 'application/pdf';
const TEXTS = /^(?:text\/|application\/json$)/;
/** An id of Anthropic's Files API. */
const FILE_ID = /^file_\w+$/;

/** Bytes, or where they are, as Claude takes them. Throws `model.unsupported-part`, naming the type, for others. */
export function toAnthropicMedia({ inlineData, fileData }: Pick<Part, 'inlineData' | 'fileData'>): Media {
  if (inlineData) return fromBytes(bareType(inlineData.mimeType), inlineData.data);
  const { fileUri = '', mimeType = '' } = fileData ?? {};
  return fromAddress(bareType(mimeType), fileUri);
}

function fromBytes(mimeType: string, data: string): Media {
  if (data.trim() === '') throw unsupportedPart('Claude', `${mimeType} without a byte in it`);
  if (isImage(mimeType)) {
    return { type: 'image', source: { type: 'base64', media_type: mimeType, data: standardBase64(data) } };
  }
  if (mimeType === PDF) {
    return { type: 'document', source: { type: 'base64', media_type: PDF, data: standardBase64(data) } };
  }
  if (TEXTS.test(mimeType)) {
    const text = Buffer.from(data, 'base64').toString();
    return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } };
  }
  throw unsupportedPart('Claude', `${mimeType || 'bytes without a type'}, only images, PDF and text`);
}

function fromAddress(mimeType: string, uri: string): Media {
  const source = FILE_ID.test(uri)
    ? ({ type: 'file', file_id: uri } as const)
    : ({ type: 'url', url: uri } as const);
  if (source.type === 'url' && !/^https?:\/\//.test(uri)) {
    throw unsupportedPart(
      'Claude',
      `file at "${uri}", only one at an address of the web or an id of its Files API`,
    );
  }
  if (isImage(mimeType)) return { type: 'image', source };
  if (mimeType === PDF || (source.type === 'file' && TEXTS.test(mimeType)))
    return { type: 'document', source };
  throw unsupportedPart('Claude', `file of the type "${mimeType}" by its address, only images and PDF`);
}

function isImage(mimeType: string): mimeType is ImageType {
  return IMAGES.includes(mimeType);
}

/** Without its parameters, as in `text/plain; charset=utf-8`. */
function bareType(mimeType: string): string {
  return mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
}

function standardBase64(data: string): string {
  const standard = data.replaceAll(/\s/g, '').replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=');
}
