import { FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { BaseExampleProvider, type Example, ExampleTool, isBaseExampleProvider } from './example-tool';

const WEATHER: Example = {
  input: { role: 'user', parts: [{ text: 'Rain in Rome?' }] },
  output: [
    { role: 'model', parts: [{ functionCall: { name: 'get_weather', args: { city: 'Rome', days: 1 } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { sky: 'clear' } } }] },
    { role: 'model', parts: [{ text: 'No.' }] },
    { role: 'model', parts: [{ text: 'Not today.' }] },
  ],
};

async function instructionWith(examples: ConstructorParameters<typeof ExampleTool>[0]): Promise<string> {
  const model = new FakeLlm([[text('Yes.')]]);
  await runTurn(
    new LlmAgent({ name: 'guide', model, instruction: 'Guide.', tools: [new ExampleTool(examples)] }),
  );
  const [request] = model.requests;
  expect(request?.config.tools).toBeUndefined();
  return request?.config.systemInstruction ?? '';
}

describe('ExampleTool', () => {
  it('shows the model questions and how they are answered, calls and responses among it', async () => {
    expect((await instructionWith([WEATHER])).split('\n')).toEqual(
      expect.arrayContaining([
        'EXAMPLE 1:',
        '[user]',
        'Rain in Rome?',
        '[model]',
        "get_weather(city='Rome', days=1)",
        '{"name":"get_weather","response":{"sky":"clear"}}',
        'No.',
        'Not today.',
      ]),
    );
  });

  it('asks a provider of examples with what the user says', async () => {
    const asked: string[] = [];
    class Fitting extends BaseExampleProvider {
      override getExamples(query: string): Example[] {
        asked.push(query);
        return [{ input: { parts: [{ text: 'Fits?' }] }, output: [] }];
      }
    }
    const provider = new Fitting();

    expect(await instructionWith(provider)).toContain('Fits?');
    expect(asked).toEqual(['hi']);
    expect([provider, {}, null].map(isBaseExampleProvider)).toEqual([true, false, false]);
  });

  it('says nothing where there is no example', async () => {
    expect(await instructionWith([])).not.toContain('EXAMPLES');
  });

  it('cannot be called', async () => {
    // It looks at nothing.
    await expect(new ExampleTool([]).runAsync({} as never)).rejects.toThrow('cannot be called');
  });
});
