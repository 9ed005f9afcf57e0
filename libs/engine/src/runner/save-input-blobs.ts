import { type Content, type Part } from '@skein/contracts';
import { type Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { saveBlob } from '../artifact/save-blob';

/** Keeps the files of a message as artifacts and leaves a note in their place, when the run asks for that. */
export async function saveInputBlobs(
  root: InvocationContext,
  context: Context,
  content: Content,
): Promise<Content> {
  if (!root.runConfig.saveInputBlobsAsArtifacts || !root.artifactService) return content;
  const parts: Part[] = [];
  for (const [index, part] of (content.parts ?? []).entries()) {
    const filename = await saveBlob(context, part, index);
    parts.push(
      filename === undefined ? part : { text: `Uploaded file: ${filename}. It is saved into artifacts` },
    );
  }
  return { ...content, parts };
}
