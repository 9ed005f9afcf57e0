import { type Part } from '@skein/contracts';

const SHOWN_AS_THEY_ARE = /^(image|audio|video)\/|^application\/pdf$/;
const SHOWN_AS_TEXT = /^text\/|^application\/(csv|json|xml)$|^image\/svg\+xml$/;

/** An artifact in a form models take: media as it is, text as text, and of everything else that it is there. */
export function artifactAsPart(name: string, artifact: Part): Part {
  const { inlineData } = artifact;
  if (!inlineData) return artifact;
  const [type = ''] = inlineData.mimeType.split(';');
  const mimeType = type.trim().toLowerCase();
  // Text first: an SVG is an image by its type, and refused as one.
  if (SHOWN_AS_TEXT.test(mimeType)) return { text: Buffer.from(inlineData.data, 'base64').toString('utf8') };
  if (SHOWN_AS_THEY_ARE.test(mimeType)) return artifact;
  const sizeKb = (Buffer.byteLength(inlineData.data, 'base64') / 1024).toFixed(1);
  return { text: `[Artifact ${name}: ${mimeType || 'of no type'}, ${sizeKb} KB. It cannot be shown.]` };
}
