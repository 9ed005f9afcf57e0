import { FakeLlm, runTurn, text } from '@skein/testing';
import { z } from 'zod';
import { LlmAgent } from '../../agent/llm-agent';
import { type LlmAgentConfig } from '../../agent/llm-agent-config';
import { FunctionTool } from '../../tool/function-tool';

async function asked(config: Partial<LlmAgentConfig>) {
  const model = new FakeLlm([[text('{"n":1}')]]);
  await runTurn(new LlmAgent({ name: 'root', model, ...config }));
  return model.requests[0];
}

describe('the basis of a model request (B24)', () => {
  it("names the model and copies the agent's settings, so that no request changes them", async () => {
    const generateContentConfig = { temperature: 0.5, stopSequences: ['x'] };

    const request = await asked({ generateContentConfig });
    request?.config.stopSequences?.push('y');

    expect(request?.model).toBe('fake');
    expect(request?.config.temperature).toBe(0.5);
    expect(generateContentConfig.stopSequences).toEqual(['x']);
  });

  it('asks for the output schema when there are no tools, and leaves that to a tool when there are', async () => {
    const outputSchema = z.object({ n: z.number() });
    const tools = [new FunctionTool({ name: 'f', description: 'Does it.', execute: () => 1 })];

    const bare = await asked({ outputSchema });
    const withTools = await asked({ outputSchema, tools });

    expect(bare?.config).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', required: ['n'] },
    });
    expect(withTools?.config).not.toHaveProperty('responseMimeType');
    expect(Object.keys(withTools?.toolsDict ?? {})).toEqual(['set_model_response', 'f']);
  });
});
