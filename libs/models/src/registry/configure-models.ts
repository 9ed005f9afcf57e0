import { LLMRegistry } from '@skein/engine';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini } from '../gemini/gemini.model';
import { OpenAILlm } from '../openai/openai-llm.model';
import { type ModelSettings, setModelSettings } from './model-settings';

/** Makes the built-in models known by name and gives them what they need; a second call replaces the settings. */
export function configureModels(settings: ModelSettings): void {
  setModelSettings(settings);
  LLMRegistry.register(Gemini);
  LLMRegistry.register(AnthropicLlm);
  LLMRegistry.register(OpenAILlm);
}
