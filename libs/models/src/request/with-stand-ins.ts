import { AdkError, type Content, type Part } from '@skein/contracts';

/**
 * A conversation in which parts that a provider does not take are texts that say what was there, so that a session whose
 * model changed goes on. What the user said since the model last spoke stays as it is: that is refused with an error, which
 * `assertTaken` throws (`model.unsupported-part`). What a tool made is nothing the user can say in another way.
 */
export function withStandIns(
  contents: readonly Content[],
  assertTaken: (part: Part) => void,
): readonly Content[] {
  const newest = contents.findLastIndex(({ role }) => role === 'model' || role === 'assistant') + 1;
  const ofTool = (part: Part): Part => withTakenResponse(part, assertTaken);
  const ofTurn = (part: Part): Part => standIn(ofTool(part), assertTaken);
  return contents.map((content, index) =>
    content.parts ? { ...content, parts: content.parts.map(index < newest ? ofTurn : ofTool) } : content,
  );
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
