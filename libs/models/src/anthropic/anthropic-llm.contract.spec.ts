import { createAnthropicDialect, llmContract } from '@skein/testing';
import { AnthropicLlm } from './anthropic-llm.model';

llmContract('AnthropicLlm', {
  dialect: createAnthropicDialect(),
  model: 'claude-sonnet-5',
  make: (params) => new AnthropicLlm(params),
});
