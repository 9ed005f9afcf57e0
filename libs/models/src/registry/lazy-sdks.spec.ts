import { LLMRegistry } from '@skein/engine';
import { configureModels } from './configure-models';

const loaded: string[] = [];

jest.mock('@google/genai', () => loaded.push('@google/genai'));
jest.mock('@anthropic-ai/sdk', () => loaded.push('@anthropic-ai/sdk'));
jest.mock('openai', () => loaded.push('openai'));

describe('LLMRegistry', () => {
  it("resolves a model's name, and makes the model, without any provider's SDK", () => {
    configureModels({});

    expect(LLMRegistry.newLlm('gemini-2.5-flash').model).toBe('gemini-2.5-flash');
    expect(loaded).toEqual([]);
  });

  it('would have seen an SDK that was loaded', async () => {
    await import('@google/genai');

    expect(loaded).toEqual(['@google/genai']);
  });
});
