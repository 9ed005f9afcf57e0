import type { GenerateContentParameters } from '@google/genai';
import { type Content, type Part } from '@skein/contracts';
import { type LlmRequest } from '@skein/engine';
import { withUserLast } from '../provider/with-user-last';

const OUR_CALL_ID = 'adk-';

/** A model request in the SDK's form; the request is left as it is. */
export function toGeminiRequest(
  request: LlmRequest,
  model: string,
  abortSignal?: AbortSignal,
): GenerateContentParameters {
  return {
    model,
    contents: withUserLast(request.contents).map(withoutOurCallIds),
    config: {
      ...request.config,
      // The engine runs the tools; the SDK must not try to.
      automaticFunctionCalling: { disable: true },
      ...(abortSignal ? { abortSignal } : {}),
    },
  };
}

/** Ids that the engine gave mean nothing to Gemini, which gives none; it matches calls by name and order (B9). */
function withoutOurCallIds(content: Content): Content {
  return { ...content, parts: (content.parts ?? []).map(withoutOurCallId) };
}

function withoutOurCallId(part: Part): Part {
  const { functionCall, functionResponse } = part;
  if (functionCall?.id?.startsWith(OUR_CALL_ID)) {
    const { id: _id, ...call } = functionCall;
    return { ...part, functionCall: call };
  }
  if (functionResponse?.id?.startsWith(OUR_CALL_ID)) {
    const { id: _id, ...response } = functionResponse;
    return { ...part, functionResponse: response };
  }
  return part;
}
