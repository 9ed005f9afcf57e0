import { EXIT_LOOP, LlmAgent, LoopAgent, ParallelAgent, SequentialAgent } from '@skein/adk';
import { modelOf } from './models';
import { answers } from './script';

// Both run at the same time, each on a branch of its own. What they find goes into state, under their output keys.
const research = new ParallelAgent({
  name: 'research',
  subAgents: [
    new LlmAgent({
      name: 'sights',
      model: modelOf(answers.sights),
      instruction: 'Name one sight of the city the user asked about. Nothing else.',
      outputKey: 'sight',
    }),
    new LlmAgent({
      name: 'food',
      model: modelOf(answers.food),
      instruction: 'Name one dish of the city the user asked about. Nothing else.',
      outputKey: 'dish',
    }),
  ],
});

// {sight} and {dish} are read from state for each request; {critique?} may be missing, as it is the first time round.
const writer = new LlmAgent({
  name: 'writer',
  model: modelOf(answers.writer),
  instruction: 'Write a plan for a day.\nSee: {sight}\nEat: {dish}\nMend: {critique?}',
  outputKey: 'plan',
});

// The loop ends when the critic calls exit_loop, at the latest after its third turn.
const critic = new LlmAgent({
  name: 'critic',
  model: modelOf(answers.critic),
  instruction: 'The plan is: {plan}\nIf it names no time of day, say so. If it does, call exit_loop.',
  tools: [EXIT_LOOP],
  outputKey: 'critique',
});

export const tripPlanner = new SequentialAgent({
  name: 'trip_planner',
  description: 'Plans a day in a city.',
  subAgents: [research, new LoopAgent({ name: 'refinement', subAgents: [writer, critic], maxIterations: 3 })],
});
