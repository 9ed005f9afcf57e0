import { type Content, type Part } from '@skein/contracts';
import { type Context } from '../agent/context';
import { saveBlob } from '../artifact/save-blob';
import { describeError } from '../error/describe-error';
import { warn } from '../telemetry/warn';
import { BasePlugin } from './base-plugin';

/**
 * Keeps the files a user sends as artifacts of the session, or of the user when the file's name begins with `user:`; a
 * placeholder with the name stands in the message instead. A second file of a name is its next version.
 */
export class SaveFilesAsArtifactsPlugin extends BasePlugin {
  constructor(name = 'save_files_as_artifacts_plugin') {
    super(name);
  }

  override async onUserMessageCallback({
    callbackContext,
    userMessage,
  }: {
    readonly callbackContext: Context;
    readonly userMessage: Content;
  }): Promise<Content | undefined> {
    const given = userMessage.parts ?? [];
    if (!callbackContext.contextScope.artifactService || !given.some(({ inlineData }) => inlineData)) {
      return undefined;
    }
    const parts: Part[] = [];
    for (const [index, part] of given.entries()) parts.push(await this.#saved(callbackContext, part, index));
    return { ...userMessage, parts };
  }

  async #saved(context: Context, part: Part, index: number): Promise<Part> {
    try {
      const filename = await saveBlob(context, part, index);
      return filename === undefined ? part : { text: `[Uploaded Artifact: "${filename}"]` };
    } catch (error) {
      // The model can still read the file where it is; the user's message must not be lost for it.
      warn('a file of a message was not saved', {
        plugin: this.name,
        invocationId: context.invocationId,
        reason: describeError(error),
      });
      return part;
    }
  }
}
