import { type FunctionCall, type FunctionResponse, type Part } from '@skein/contracts';
import { withoutOrigin } from '../request/part-origin';
import { type ToolNames } from '../request/tool-names';

export interface PartTarget {
  readonly vertexai: boolean;
  readonly names: Pick<ToolNames, 'sent'>;
}

const OUR_CALL_ID = 'adk-';

/** A part as the API takes it; the part itself is left as it is. */
export function toGeminiPart(part: Part, { vertexai, names }: PartTarget): Part {
  const { functionCall, functionResponse } = part;
  const own = vertexai ? withoutMetadata(part) : withoutDisplayName(withoutOrigin(part));
  if (functionCall) return { ...own, functionCall: toCall(functionCall, names) };
  if (functionResponse) return { ...own, functionResponse: toResponse(functionResponse, names) };
  return own;
}

/** Whether the API takes it beside other parts: a signature may come with a text that is empty. */
export function isSent(part: Part): boolean {
  return holdsSomething(part) || Boolean(part.thoughtSignature);
}

/** An empty text is refused, and so is a part with nothing but our mark. */
export function holdsSomething(part: Part): boolean {
  return HOLDS.some((key) => part[key] !== undefined && part[key] !== null && part[key] !== '');
}

const HOLDS = [
  'text',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const;

/** The Gemini API's alone. */
function withoutMetadata({ partMetadata: _metadata, ...part }: Part): Part {
  return part;
}

/** Names of files are Vertex AI's alone. */
function withoutDisplayName(part: Part): Part {
  const { inlineData, fileData } = part;
  return {
    ...part,
    ...(inlineData ? { inlineData: { ...inlineData, displayName: undefined } } : {}),
    ...(fileData ? { fileData: { ...fileData, displayName: undefined } } : {}),
  };
}

/** Of a call the API takes no other field than these. */
function toCall({ id, name, args }: FunctionCall, names: PartTarget['names']): FunctionCall {
  return { ...ownId(id), name: names.sent(name), ...(args ? { args } : {}) };
}

function toResponse(
  { id, name, response = {}, ...rest }: FunctionResponse,
  names: PartTarget['names'],
): FunctionResponse {
  return { ...ownId(id), name: names.sent(name), response, ...rest };
}

/** Ids that the engine gave mean nothing to Gemini; it matches such calls by name and order (B9). */
function ownId(id: string | undefined): { id?: string } {
  return id === undefined || id.startsWith(OUR_CALL_ID) ? {} : { id };
}
