import { type LlmAgent } from './llm-agent';

/** In a file of its own, so that the flow can tell agents apart without importing them. */
export const LLM_AGENT: unique symbol = Symbol.for('skein.LlmAgent');

/** Whether a value is an LlmAgent, also when it came from another copy of this package. */
export function isLlmAgent(value: unknown): value is LlmAgent {
  return typeof value === 'object' && value !== null && LLM_AGENT in value;
}
