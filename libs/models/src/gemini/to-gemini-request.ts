import type { GenerateContentParameters } from '@google/genai';
import { type Content, type Part } from '@skein/contracts';
import { type GenerateContentConfig, type LlmRequest } from '@skein/engine';
import { ownParts, withoutOrigin } from '../provider/part-origin';
import { withUserLast } from '../provider/with-user-last';

const OUR_CALL_ID = 'adk-';

interface Target {
  readonly model: string;
  readonly vertexai?: boolean;
  readonly abortSignal?: AbortSignal;
}

/** A model request in the SDK's form; the request is left as it is. */
export function toGeminiRequest(
  request: LlmRequest,
  { model, vertexai = false, abortSignal }: Target,
): GenerateContentParameters {
  const toPart = (part: Part): Part =>
    withoutOurCallId(vertexai ? withoutMetadata(part) : withoutDisplayName(withoutOrigin(part)));
  const contents = request.contents.map((content): Content => ({
    ...content,
    parts: ownParts(content.parts ?? [], 'gemini').map(toPart),
  }));
  return {
    model,
    contents: [...withUserLast(contents.filter(saysSomething))],
    config: {
      ...toConfig(request.config, vertexai),
      // The engine runs the tools; the SDK must not try to.
      automaticFunctionCalling: { disable: true },
      ...(abortSignal ? { abortSignal } : {}),
    },
  };
}

/** The API refuses a content without parts. */
function saysSomething({ parts }: Content): boolean {
  return parts !== undefined && parts.length > 0;
}

function toConfig(config: GenerateContentConfig, vertexai: boolean): GenerateContentConfig {
  const { systemInstruction, tools, toolConfig, labels, ...rest } = config;
  return {
    ...rest,
    // What a cache was made with is in it; the API refuses a request that says it again.
    ...(rest.cachedContent ? {} : given({ systemInstruction, tools, toolConfig })),
    // The Gemini API knows none.
    ...(vertexai ? given({ labels }) : {}),
  };
}

function given(settings: GenerateContentConfig): GenerateContentConfig {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]: [string, unknown]) => value !== undefined),
  );
}

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

/**
 * Ids that the engine gave mean nothing to Gemini; it matches such calls by name and order (B9). Of a call it takes no
 * other field than these.
 */
function withoutOurCallId(part: Part): Part {
  const { functionCall, functionResponse } = part;
  if (functionCall) {
    const { id, name, args } = functionCall;
    return { ...part, functionCall: { ...ownId(id), name, ...(args ? { args } : {}) } };
  }
  if (functionResponse) {
    const { id, ...response } = functionResponse;
    return { ...part, functionResponse: { ...ownId(id), ...response } };
  }
  return part;
}

function ownId(id: string | undefined): { id?: string } {
  return id === undefined || id.startsWith(OUR_CALL_ID) ? {} : { id };
}
