import { type BaseLlm, FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';
import { script } from './script';

const rollDie = new FunctionTool({
  name: 'roll_die',
  description: 'Rolls a die, and keeps what it showed last.',
  parameters: z.object({ sides: z.number().int().min(2).max(1_000) }),
  execute: ({ sides }, { state }) => {
    const result = 1 + Math.floor(Math.random() * sides);
    // Calls of one turn run side by side: the later one's value stands.
    state.set('last_roll', result);
    return { result };
  },
});

/** The agent with a model of one's choice: agent.spec.ts gives it a script. */
export function diceAgent(model: BaseLlm | string): LlmAgent {
  return new LlmAgent({
    name: 'dice',
    description: 'Rolls dice and remembers the last one.',
    model,
    instruction:
      'You roll dice. Never make up a result: call roll_die, once for each die. The last one: {last_roll?}',
    tools: [rollDie],
  });
}

// With a key a real model answers; without one a script does, so that the sample runs anywhere.
const hasKey = Boolean(process.env.GOOGLE_API_KEY ?? process.env.GEMINI_API_KEY);

export const rootAgent = diceAgent(hasKey ? 'gemini-2.5-flash' : new ScriptedLlm({ rules: script }));
