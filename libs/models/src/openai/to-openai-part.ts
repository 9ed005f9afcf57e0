import { AdkError, type Part } from '@skein/contracts';
import type { ChatCompletionContentPart } from 'openai/resources/chat/completions';

/** What a server's models may not take, where it is not told by the API: `new OpenAILlm({ lacks: ['files'] })`. */
export type OpenAILack = 'images' | 'audio' | 'files';

export interface PartOptions {
  /** OpenAI's own service, which takes images of four types. */
  readonly isOpenAI?: boolean;
  readonly lacks?: readonly OpenAILack[];
}

/** A part of a user's content in OpenAI's form. Throws `model.unsupported-part`, naming its type, for what has none. */
export function toOpenAIPart(part: Part, options: PartOptions = {}): ChatCompletionContentPart {
  const sent = inOpenAIForm(part);
  const lack = LACKS[sent.type];
  if (lack && options.lacks?.includes(lack)) throw unsupported(`${typeOf(part)}, as this model is set up`);
  const isImage = part.inlineData && sent.type === 'image_url';
  if (isImage && options.isOpenAI && !IMAGES.has(typeOf(part))) throw unsupported(`${typeOf(part)} as bytes`);
  return sent;
}

const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const LACKS: Readonly<Record<string, OpenAILack>> = {
  image_url: 'images',
  input_audio: 'audio',
  file: 'files',
};

function typeOf({ inlineData, fileData }: Part): string {
  return bareType(inlineData?.mimeType ?? fileData?.mimeType ?? '') || 'a file';
}

function inOpenAIForm(part: Part): ChatCompletionContentPart {
  const { inlineData, fileData } = part;
  if (part.text !== undefined) return { type: 'text', text: part.text };
  if (inlineData?.data.trim() === '') throw unsupported(`${inlineData.mimeType} without a byte in it`);
  if (inlineData) return fromBytes(inlineData);
  if (fileData) return fromFile(fileData);
  throw unsupported(`a part with ${Object.keys(part).join(', ') || 'nothing in it'}`);
}

/** Code and what it printed, as the text that models know for it. */
export function codeText({ executableCode, codeExecutionResult }: Part): string | undefined {
  if (executableCode) return `\`\`\`python\n${executableCode.code ?? ''}\n\`\`\``;
  if (codeExecutionResult) return `\`\`\`tool_output\n${codeExecutionResult.output ?? ''}\n\`\`\``;
  return undefined;
}

const AUDIO: Readonly<Record<string, 'wav' | 'mp3'>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mp3': 'mp3',
  'audio/mpeg': 'mp3',
};

function fromBytes(blob: NonNullable<Part['inlineData']>): ChatCompletionContentPart {
  const mimeType = bareType(blob.mimeType);
  // OpenAI takes standard base64 alone.
  const data = blob.data.replaceAll('-', '+').replaceAll('_', '/');
  const url = `data:${mimeType};base64,${data}`;
  const format = AUDIO[mimeType];
  if (format) return { type: 'input_audio', input_audio: { data, format } };
  if (mimeType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  if (isText(mimeType)) return { type: 'text', text: Buffer.from(data, 'base64').toString() };
  if (mimeType.startsWith('application/')) {
    const filename = typeof blob.displayName === 'string' ? blob.displayName : `file.${endingOf(mimeType)}`;
    return { type: 'file', file: { filename, file_data: url } };
  }
  throw unsupported(`${mimeType} as bytes`);
}

function fromFile({ fileUri, mimeType = '' }: NonNullable<Part['fileData']>): ChatCompletionContentPart {
  if (/^file-[\w-]+$/.test(fileUri)) return { type: 'file', file: { file_id: fileUri } };
  const isImage = mimeType ? mimeType.startsWith('image/') : /\.(png|jpe?g|gif|webp)$/i.test(pathOf(fileUri));
  if (isImage && /^(https?|data):/.test(fileUri)) return { type: 'image_url', image_url: { url: fileUri } };
  throw unsupported(`${mimeType || 'a file'} at ${fileUri}`);
}

function isText(mimeType: string): boolean {
  return mimeType.startsWith('text/') || mimeType === 'application/json';
}

function bareType(mimeType: string): string {
  return mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
}

function endingOf(mimeType: string): string {
  return /^[a-z0-9]+$/.exec(mimeType.slice('application/'.length))?.[0] ?? 'bin';
}

function pathOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).pathname : uri;
}

function unsupported(what: string): AdkError {
  const known = 'Text, images, wav, mp3 and files as bytes are, and images and OpenAI file ids by address';
  const message = `Not taken by OpenAI-compatible models: ${what}. ${known}.`;
  return new AdkError('invalid', 'model.unsupported-part', message);
}
