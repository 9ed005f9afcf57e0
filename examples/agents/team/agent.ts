import { AgentTool, LlmAgent } from '@skein/adk';
import { modelOf } from './models';
import { answers } from './script';
import { tripPlanner } from './trip-planner';

/** A specialist: the desk hands the conversation over to it, and it hands it back when asked about something else. */
const cashier = new LlmAgent({
  name: 'cashier',
  description: 'Knows what the user owes.',
  model: modelOf(answers.cashier),
  instruction: 'The user owes 40 euros for the museum. Whatever is not about money is for the desk.',
});

/** An agent in the role of a tool: it is asked, answers, and the desk goes on. It never sees the conversation. */
const translator = new LlmAgent({
  name: 'translator',
  description: 'Translates a phrase into another language.',
  model: modelOf(answers.translator),
  instruction: 'Translate. Answer with the translation alone.',
});

export const rootAgent = new LlmAgent({
  name: 'desk',
  description: 'Helps travellers, and knows who else can.',
  model: modelOf(answers.desk),
  instruction: 'You are the desk of a hotel. Have trips planned, bills explained and phrases translated.',
  tools: [new AgentTool({ agent: translator })],
  subAgents: [cashier, tripPlanner],
});
