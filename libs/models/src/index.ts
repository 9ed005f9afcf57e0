export { AnthropicLlm, type AnthropicLlmParams } from './anthropic/anthropic-llm.model';
export { Gemini, type GeminiParams } from './gemini/gemini.model';
export { OpenAILlm, type OpenAILlmParams } from './openai/openai-llm.model';
export { configureModels } from './registry/configure-models';
export { type ModelProvider, type ModelSettings, modelSettingsFrom } from './registry/model-settings';
export { type LlmRouter, RoutedLlm, type RoutedLlmParams } from './routed/routed-llm.model';
export { ScriptedLlm, type ScriptedLlmParams } from './scripted/scripted-llm.model';
export type { DelayedResponse, ScriptedResponse } from './scripted/scripted-response';
export type { ScriptedRule } from './scripted/scripted-rules';
