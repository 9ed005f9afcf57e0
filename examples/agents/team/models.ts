import { type BaseLlm, type LlmRequest, ScriptedLlm, type ScriptedResponse } from '@skein/adk';

export type Answer = (request: LlmRequest) => string | ScriptedResponse;

// With a key a real model answers; without one a script does, so that the sample runs anywhere.
const hasKey = Boolean(process.env.GOOGLE_API_KEY ?? process.env.GEMINI_API_KEY);

export function modelOf(answer: Answer): BaseLlm | string {
  if (hasKey) return 'gemini-2.5-flash';
  return new ScriptedLlm({ rules: [{ when: /^/, respond: (_match, request) => answer(request) }] });
}
