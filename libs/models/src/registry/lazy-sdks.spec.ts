import { LLMRegistry } from '@skein/engine';
import { configureModels } from './configure-models';

const loaded: string[] = [];

jest.mock('@google/genai', () => loaded.push('@google/genai'));
jest.mock('@anthropic-ai/sdk', () => loaded.push('@anthropic-ai/sdk'));
jest.mock('openai', () => loaded.push('openai'));

describe('LLMRegistry', () => {
  it.each(['gemini-2.5-flash', 'claude-sonnet-4-5', 'gpt-5', 'o3', 'openai/llama3'])(
    "resolves %s, and makes the model, without any provider's SDK",
    (name) => {
      configureModels({});

      expect(LLMRegistry.newLlm(name).model).toBe(name);
      expect(loaded).toEqual([]);
    },
  );

  it('would have seen an SDK that was loaded', async () => {
    await import('@google/genai');

    expect(loaded).toEqual(['@google/genai']);
  });
});
