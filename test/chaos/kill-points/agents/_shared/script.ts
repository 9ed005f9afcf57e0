import { LlmAgent, type LlmAgentConfig, type LlmResponse, type Part } from '@skein/adk';
import { NotingLlm } from './noting-llm';

/** Long enough that a kill can fall into it. */
const THINKING_MS = 15;

/** A part that calls a tool. */
export function calls(name: string, args: Record<string, unknown> = {}): Part {
  return { functionCall: { name, args } };
}

/** A model's answer of texts and calls. */
export function says(...parts: (string | Part)[]): LlmResponse {
  return {
    content: {
      role: 'model',
      parts: parts.map((part) => (typeof part === 'string' ? { text: part } : part)),
    },
  };
}

/** An agent whose model gives these answers, one a call, each after a moment. */
export function scripted(
  name: string,
  answers: readonly LlmResponse[],
  more: Partial<LlmAgentConfig> = {},
): LlmAgent {
  const responses = answers.map((response) => ({ delayMs: THINKING_MS, response }));
  return new LlmAgent({ name, description: `Is ${name}.`, model: new NotingLlm({ responses }), ...more });
}
