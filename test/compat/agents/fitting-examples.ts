import { BaseExampleProvider, type Example, ExampleTool, LlmAgent } from '@google/adk';

class Greetings extends BaseExampleProvider {
  override getExamples(query: string): Example[] {
    const input = { role: 'user', parts: [{ text: query }] };
    return [{ input, output: [{ role: 'model', parts: [{ text: `Good ${query.toLowerCase()}.` }] }] }];
  }
}

export const rootAgent = new LlmAgent({
  name: 'guide',
  model: 'scripted-guide',
  instruction: 'Greet.',
  tools: [new ExampleTool(new Greetings())],
});
