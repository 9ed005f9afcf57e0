import { type BaseAgent } from '../../agent/base-agent';
import { Context } from '../../agent/context';
import { appendInstructions } from '../../model/llm-request';
import { TransferToAgentTool } from '../../tool/transfer-to-agent-tool';
import { type RequestProcessor } from '../request-processor';
import { transferTargets } from '../transfer-target';

/** Tells the model which agents it may hand over to, and gives it the tool for that (B37). */
export const agentTransferProcessor: RequestProcessor = {
  name: 'agent-transfer',
  run(agent, context, request) {
    const targets = transferTargets(agent);
    if (targets.length === 0) return undefined;
    appendInstructions(request, [
      instructionOf(targets, agent.disallowTransferToParent ? undefined : agent.parentAgent),
    ]);
    const tool = new TransferToAgentTool(targets.map(({ name }) => name));
    return tool.processLlmRequest({ toolContext: new Context(context), llmRequest: request });
  },
};

function instructionOf(targets: readonly BaseAgent[], parent: BaseAgent | undefined): string {
  const list = targets.map(
    ({ name, description }) => `Agent name: ${name}\nAgent description: ${description || '(none)'}`,
  );
  const names = targets.map(({ name }) => `\`${name}\``).sort();
  const lines = [
    `Other agents can take over:\n\n${list.join('\n\n')}`,
    'If you are the one to answer, by your description, answer. If another agent is better placed, call ' +
      'transfer_to_agent with its name; say nothing else beside that call.',
    `The names to choose from are ${names.join(', ')}.`,
  ];
  if (parent && targets.includes(parent)) {
    lines.push(`When neither you nor another agent fits, hand over to your parent agent \`${parent.name}\`.`);
  }
  return lines.join('\n\n');
}
