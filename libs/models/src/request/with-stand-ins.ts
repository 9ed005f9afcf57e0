import { AdkError, type Content, type Part } from '@skein/contracts';
import { CONTEXT_HEADER } from '@skein/engine';

/**
 * A conversation in which parts that a provider does not take are texts that say what was there, so that a session whose
 * model changed, or that holds a message which was refused, goes on. What the user said last, the model not having spoken
 * since, stays as it is: that is refused with an error, which `assertTaken` throws (`model.unsupported-part`). What a tool
 * made is nothing the user can say in another way.
 */
export function withStandIns(
  contents: readonly Content[],
  assertTaken: (part: Part) => void,
): readonly Content[] {
  const newest = contents.findLastIndex(isSaid);
  const ofTool = (part: Part): Part => withTakenResponse(part, assertTaken);
  const ofTurn = (part: Part): Part => standIn(ofTool(part), assertTaken);
  return contents.map((content, index) => {
    if (!content.parts) return content;
    const isRefused = index === newest && !isModels(content);
    return { ...content, parts: content.parts.map(isRefused ? ofTool : ofTurn) };
  });
}

/** What other agents did is in the user's role too, but nobody said it to this model. */
function isSaid(content: Content): boolean {
  const [first] = content.parts ?? [];
  return isModels(content) || (first !== undefined && first.text !== CONTEXT_HEADER);
}

function isModels({ role }: Content): boolean {
  return role === 'model' || role === 'assistant';
}

function withTakenResponse(part: Part, assertTaken: (part: Part) => void): Part {
  const { functionResponse: response } = part;
  if (!response || !Array.isArray(response.parts)) return part;
  // google-genai's field: parts beside the JSON of an answer.
  const parts = (response.parts as Part[]).map((one) => standIn(one, assertTaken));
  return { ...part, functionResponse: { ...response, parts } };
}

function standIn(part: Part, assertTaken: (part: Part) => void): Part {
  if (part.functionCall ?? part.functionResponse) return part;
  try {
    assertTaken(part);
    return part;
  } catch (error) {
    if (!AdkError.isInstance(error) || error.code !== 'model.unsupported-part') throw error;
    return { text: `[Not shown to this model: ${nameOf(part)}]` };
  }
}

function nameOf(part: Part): string {
  const media = part.inlineData ?? part.fileData;
  if (!media) return Object.keys(part)[0] ?? 'a part';
  const { mimeType = 'a file', displayName } = media;
  const type = mimeType === '' ? 'bytes of no type' : mimeType;
  return typeof displayName === 'string' ? `${type} "${displayName}"` : type;
}
