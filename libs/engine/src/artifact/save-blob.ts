import { type Part } from '@skein/contracts';
import { type Context } from '../agent/context';

/**
 * Keeps the file of a message's part as an artifact, under its own name or one made for it; answers that name, or
 * nothing for a part without a file.
 */
export async function saveBlob(context: Context, part: Part, index: number): Promise<string | undefined> {
  if (!part.inlineData) return undefined;
  const { displayName } = part.inlineData;
  const isNamed = typeof displayName === 'string' && displayName !== '';
  const filename = isNamed ? displayName : `artifact_${context.invocationId}_${index}`;
  await context.saveArtifact(filename, part);
  return filename;
}
