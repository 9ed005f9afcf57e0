import { llmContract, openaiCompatibleDialect, openaiDialect } from '@skein/testing';
import { OpenAILlm } from './openai-llm.model';

llmContract('OpenAILlm', {
  dialect: openaiDialect,
  model: 'gpt-4.1-mini',
  make: (params) => new OpenAILlm(params),
});

llmContract("OpenAILlm at a server of one's own", {
  dialect: openaiCompatibleDialect,
  model: 'qwen3:8b',
  make: ({ model, ...params }) => new OpenAILlm({ ...params, model: `openai/${model}` }),
});
