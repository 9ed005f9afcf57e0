import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const double = new FunctionTool({
  name: 'double',
  description: 'Twice a number.',
  parameters: z.object({ value: z.number() }),
  execute: ({ value }) => ({ value: value * 2 }),
});

const half = new FunctionTool({
  name: 'half',
  description: 'Half a number.',
  parameters: z.object({ value: z.number() }),
  execute: ({ value }) => ({ value: value / 2 }),
});

export const rootAgent = new LlmAgent({
  name: 'calculator',
  model: 'scripted-calculator',
  instruction: 'Calculate.',
  tools: [double, half],
  beforeAgentCallback: (context) => {
    context.state.set('begun', context.agentName);
    return undefined;
  },
  afterAgentCallback: (context) => ({
    role: 'model',
    parts: [{ text: `That was ${String(context.state.get('begun'))}.` }],
  }),
  beforeModelCallback: ({ context, request }) => {
    context.state.set('asked', request.contents.length);
    return undefined;
  },
  afterModelCallback: ({ response }) => {
    const [part] = response.content?.parts ?? [];
    if (part?.text === undefined) return undefined;
    return { ...response, content: { role: 'model', parts: [{ text: `${part.text} Exactly.` }] } };
  },
  beforeToolCallback: ({ tool, args }) => {
    if (tool.name === 'half') return { value: 'not today' };
    args.value = Number(args.value) + 1;
    return undefined;
  },
  afterToolCallback: ({ tool, response }) => ({ ...response, by: tool.name }),
});
