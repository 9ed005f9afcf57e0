import { FunctionTool, LlmAgent } from '@google/adk';
import { z } from 'zod';

const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays a bill.',
  parameters: z.object({ amount: z.number() }),
  execute: ({ amount }) => ({ paid: amount }),
  requireConfirmation: ({ amount }) => amount > 100,
});

/** Asks by itself, with a proposal the user may change. */
const book = new FunctionTool({
  name: 'book',
  description: 'Books days off.',
  parameters: z.object({ days: z.number() }),
  execute: ({ days }, toolContext) => {
    const confirmation = toolContext?.toolConfirmation;
    if (!confirmation) {
      toolContext?.requestConfirmation({ hint: 'How many days?', payload: { days } });
      return { status: 'asked' };
    }
    return { status: confirmation.confirmed ? 'booked' : 'refused', payload: confirmation.payload };
  },
});

export const rootAgent = new LlmAgent({
  name: 'clerk',
  model: 'scripted-clerk',
  instruction: 'Pay and book.',
  tools: [pay, book],
});
