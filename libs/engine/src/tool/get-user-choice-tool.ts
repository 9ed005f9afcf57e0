import { z } from 'zod';
import { LongRunningFunctionTool } from './long-running-function-tool';

/** Has the user choose: the call stands with its options until he answers it (B29). */
export const getUserChoiceTool = new LongRunningFunctionTool({
  name: 'get_user_choice',
  description: 'Shows the user options to choose from; the answer is the one he chose.',
  parameters: z.object({ options: z.array(z.string()).describe('The options.') }),
  placement: 'inline',
  execute: (_args, { actions }) => {
    actions.skipSummarization = true;
    return null;
  },
});
