import { AgentTool, App, EXIT_LOOP, LoopAgent, ParallelAgent, SequentialAgent } from '@skein/adk';
import { calls, says, scripted } from '../_shared/script';
import { trackedTool } from '../_shared/tracked-tool';

const expert = scripted('expert', [says(calls('consult')), says('I know.')], {
  tools: [trackedTool('consult')],
});

const planner = scripted(
  'planner',
  [says(calls('expert', { request: 'How?' })), says(calls('approve', { n: 1 })), says('Planned.')],
  {
    tools: [new AgentTool({ agent: expert }), trackedTool('approve', { requireConfirmation: true })],
    outputKey: 'plan',
  },
);

const side = (name: string) =>
  scripted(name, [says(calls(`work_${name}`)), says(`${name} is done.`)], {
    tools: [trackedTool(`work_${name}`)],
    outputKey: `did_${name}`,
  });

const checker = scripted('checker', [says('Not yet.'), says(calls('check')), says(calls('exit_loop'))], {
  tools: [trackedTool('check'), EXIT_LOOP],
});

/** Every kind of workflow, an agent as a tool, and a question for the user. */
const rootAgent = new SequentialAgent({
  name: 'plan',
  subAgents: [
    planner,
    new ParallelAgent({ name: 'sides', subAgents: [side('a'), side('b')] }),
    new LoopAgent({ name: 'checks', subAgents: [checker], maxIterations: 5 }),
  ],
});

// So the answer of the user enters at the sequence, and what is behind the planner waits for it.
export const app = new App({ name: 'plan', rootAgent, resumabilityConfig: { isResumable: true } });
