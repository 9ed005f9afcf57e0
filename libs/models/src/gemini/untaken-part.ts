import { type Part } from '@skein/contracts';
import { holdsSomething } from './to-gemini-part';

/** https://ai.google.dev/gemini-api/docs/file-input-methods, and the code and data files that it takes as text. */
const TAKEN =
  /^(image\/(png|jpe?g|webp|hei[cf]|avif|bmp)|(audio|video|text)\/.+|application\/(pdf|json|xml|rtf|yaml|javascript|typescript|x-(javascript|typescript|python.*|ipynb\+json|yaml)))$/;

/** What of a part the API has no form for, as a sentence names it; nothing for a part that it takes. */
export function untakenIn(part: Part): string | undefined {
  const { inlineData, fileData } = part;
  const type = bareType((inlineData ?? fileData)?.mimeType);
  if (inlineData && !inlineData.data) return `a file of the type "${type}" without its bytes`;
  if ((inlineData ?? type) && !TAKEN.test(type)) return `a file of the type "${type}"`;
  if (holdsSomething(part)) return undefined;
  const [unknown] = Object.entries(part).flatMap(([key, value]) => (isPayload(key, value) ? [key] : []));
  return unknown === undefined ? undefined : `a part of the kind "${unknown}"`;
}

/** Without its parameters, as in `text/plain; charset=utf-8`. */
function bareType(mimeType = ''): string {
  return mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
}

/** Fields that say how a part came about, and the text that is empty. */
const NO_PAYLOAD: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'partMetadata',
  'videoMetadata',
  'mediaResolution',
]);

function isPayload(key: string, value: unknown): boolean {
  return value !== undefined && value !== null && !NO_PAYLOAD.has(key);
}
