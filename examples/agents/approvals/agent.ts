import { FunctionTool, getUserChoiceTool, LlmAgent, LongRunningFunctionTool, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';
import { script } from './script';

const FREE_UP_TO = 100;

// Below the limit it runs at once. Above it the user is asked first, and it runs with his yes, here or on another machine.
const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays somebody an amount in euros.',
  parameters: z.object({ to: z.string().min(1), amount: z.number().positive() }),
  requireConfirmation: ({ amount }) => amount > FREE_UP_TO,
  // A payment whose outcome is unknown after a crash must not be made again.
  sideEffect: 'once',
  execute: ({ to, amount }, { state }) => {
    const spent = (state.get<number>('spent') ?? 0) + amount;
    state.set('spent', spent);
    return { paid: amount, to, spent };
  },
});

// It answers nothing: the call stays open until somebody sends a function response, in a minute or next week.
const askManager = new LongRunningFunctionTool({
  name: 'ask_manager',
  description: 'Puts a question to the manager, who answers later.',
  parameters: z.object({ question: z.string().min(1) }),
  execute: () => undefined,
});

// With a key a real model answers; without one a script does, so that the sample runs anywhere.
const hasKey = Boolean(process.env.GOOGLE_API_KEY ?? process.env.GEMINI_API_KEY);

export const rootAgent = new LlmAgent({
  name: 'office',
  description: 'Pays, asks the manager, orders lunch.',
  model: hasKey ? 'gemini-2.5-flash' : new ScriptedLlm({ rules: script }),
  instruction:
    'You run errands in an office: pay people, put questions to the manager, and order lunch. ' +
    'For lunch let the user choose from soup, salad and pizza.',
  tools: [pay, askManager, getUserChoiceTool],
});
