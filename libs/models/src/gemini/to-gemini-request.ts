import type { GenerateContentParameters } from '@google/genai';
import { type GenerateContentConfig, type LlmRequest, readContents } from '@skein/engine';
import { ToolNames } from '../request/tool-names';
import { signCalls } from './sign-calls';
import { toGeminiContents } from './to-gemini-contents';
import { declaredNames, toGeminiTools } from './to-gemini-tools';

interface Target {
  readonly model: string;
  readonly vertexai?: boolean;
  readonly abortSignal?: AbortSignal;
}

export interface GeminiRequest {
  readonly parameters: GenerateContentParameters;
  /** How its tools are named there, for the answer's calls. */
  readonly names: ToolNames;
}

const MAX_TOOL_NAME = 64;
const TOOL_NAME = /^[a-zA-Z_][\w.-]*$/;

/** A model request in the SDK's form; the request is left as it is. */
export function toGeminiRequest(
  request: LlmRequest,
  { model, vertexai = false, abortSignal }: Target,
): GeminiRequest {
  const { config } = request;
  const names = new ToolNames(declaredNames(config), MAX_TOOL_NAME, TOOL_NAME);
  const parameters = {
    model,
    contents: signCalls(toGeminiContents(readContents(request), { vertexai, names }), model),
    config: {
      ...toConfig(config, vertexai, names),
      // The engine runs the tools; the SDK must not try to.
      automaticFunctionCalling: { disable: true },
      ...(abortSignal ? { abortSignal } : {}),
    },
  };
  return { parameters, names };
}

function toConfig(config: GenerateContentConfig, vertexai: boolean, names: ToolNames): GenerateContentConfig {
  const { systemInstruction, tools: _tools, toolConfig: _choice, labels, ...rest } = config;
  return {
    ...rest,
    // What a cache was made with is in it; the API refuses a request that says it again.
    ...(rest.cachedContent
      ? {}
      : { ...(systemInstruction ? { systemInstruction } : {}), ...toGeminiTools(config, names) }),
    // The Gemini API knows none.
    ...(vertexai && labels !== undefined ? { labels } : {}),
  };
}
