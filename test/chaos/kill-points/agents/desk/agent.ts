import { calls, says, scripted } from '../_shared/script';
import { trackedTool } from '../_shared/tracked-tool';

const clerk = scripted(
  'clerk',
  [says(calls('file', { n: 1 })), says('Filed.'), says(calls('transfer_to_agent', { agentName: 'desk' }))],
  { tools: [trackedTool('file')] },
);

/** A hand-over to another agent, and back in the next turn. */
export const rootAgent = scripted(
  'desk',
  [says(calls('transfer_to_agent', { agentName: 'clerk' })), says(calls('greet')), says('Welcome back.')],
  { tools: [trackedTool('greet')], subAgents: [clerk] },
);
