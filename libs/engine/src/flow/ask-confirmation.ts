import { type Context } from '../agent/context';
import { type BaseTool } from '../tool/base-tool';

/**
 * The answer to a call that a human has to allow first (B33): that he is asked, or that he said no. Nothing when the
 * call may run.
 */
export async function askConfirmation(
  tool: BaseTool,
  args: Readonly<Record<string, unknown>>,
  toolContext: Context,
): Promise<{ error: string } | undefined> {
  const { toolConfirmation } = toolContext;
  if (toolConfirmation) return toolConfirmation.confirmed ? undefined : rejected;
  if (!(await tool.checkRequireConfirmation(args, toolContext))) return undefined;
  toolContext.requestConfirmation({ hint: hintFor(tool.name) });
  // The user is asked next, so nothing has to be put into words before (B33).
  toolContext.actions.skipSummarization = true;
  return asked;
}

const asked = { error: 'This tool call requires confirmation, please approve or reject.' };
const rejected = { error: 'This tool call is rejected.' };

function hintFor(tool: string): string {
  return (
    `Please approve or reject the tool call ${tool}() by responding with a FunctionResponse with an expected ` +
    'ToolConfirmation payload.'
  );
}
