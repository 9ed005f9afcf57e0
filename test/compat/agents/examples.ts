import { type Example, ExampleTool, LlmAgent } from '@google/adk';

const examples: Example[] = [
  {
    input: { role: 'user', parts: [{ text: 'Hello.' }] },
    output: [{ role: 'model', parts: [{ text: 'Hi.' }] }],
  },
  {
    input: { role: 'user', parts: [{ text: 'Rain in Rome?' }] },
    output: [
      { role: 'model', parts: [{ functionCall: { name: 'get_weather', args: { city: 'Rome', days: 1 } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'get_weather', response: { sky: 'clear' } } }] },
      { role: 'model', parts: [{ text: 'No.' }, { text: 'The sky is clear.' }] },
    ],
  },
];

export const rootAgent = new LlmAgent({
  name: 'guide',
  model: 'scripted-guide',
  instruction: 'Guide.',
  tools: [new ExampleTool(examples)],
});
