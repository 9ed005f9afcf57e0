import { EXIT_LOOP, LlmAgent, LoopAgent, ParallelAgent, SequentialAgent } from '@google/adk';

const one = (name: string, instruction = `You are ${name}.`) =>
  new LlmAgent({ name, model: `scripted-${name}`, instruction, outputKey: name });

const fix = new LoopAgent({
  name: 'fix',
  maxIterations: 2,
  subAgents: [
    one('fixer'),
    new LlmAgent({
      name: 'checker',
      model: 'scripted-checker',
      instruction: 'Check {fixer}.',
      tools: [EXIT_LOOP],
    }),
  ],
});

const inner = new SequentialAgent({ name: 'inner', subAgents: [one('a1'), one('a2', 'After {a1}.')] });

export const rootAgent = new SequentialAgent({
  name: 'outer',
  subAgents: [new ParallelAgent({ name: 'both', subAgents: [inner] }), fix, one('last')],
});
