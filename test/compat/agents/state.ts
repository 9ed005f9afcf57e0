import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const remember = new FunctionTool({
  name: 'remember_name',
  description: 'Remembers what the user is called.',
  parameters: z.object({ name: z.string() }),
  execute: ({ name }, toolContext) => {
    toolContext?.state.set('user:name', name);
    toolContext?.state.set('app:visitors', Number(toolContext.state.get('app:visitors') ?? 0) + 1);
    toolContext?.state.set('temp:greeting', `Good day, ${name}`);
    return { remembered: name };
  },
});

export const rootAgent = new LlmAgent({
  name: 'host',
  model: 'scripted-host',
  instruction:
    'The user is {user:name?}. The mood is {mood}. Begin with "{temp:greeting?}". Leave {"json": true} and {unknown-key} alone.',
  tools: [remember],
  outputKey: 'last_words',
});
