import { type Content } from '@skein/contracts';
import { ReadonlyContext } from '../../agent/context';
import { type InvocationContext } from '../../agent/invocation-context';
import { isLlmAgent } from '../../agent/is-llm-agent';
import { type Instruction } from '../../agent/llm-agent-config';
import { appendInstructions } from '../../model/llm-request';
import { fillTemplate } from '../fill-template';
import { type RequestProcessor } from '../request-processor';

/** Adds the instructions: the root's for the whole tree first, then the agent's own, text or provider (B59). */
export const instructionsProcessor: RequestProcessor = {
  name: 'instructions',
  async run(agent, context, request) {
    const root = context.rootAgent;
    if (isLlmAgent(root)) appendInstructions(request, [await resolve(root.globalInstruction, context)]);
    const own = await resolve(agent.instruction, context);
    if (agent.staticInstruction === undefined) {
      appendInstructions(request, [own]);
      return;
    }
    // What never changes is the system instruction, so that a provider can cache it; the rest travels with the
    // contents, which the contents processor puts in their place (B12).
    appendInstructions(request, [textOf(agent.staticInstruction)]);
    if (own) request.contents.push({ role: 'user', parts: [{ text: own }] });
  },
};

async function resolve(instruction: Instruction, context: InvocationContext): Promise<string> {
  const readonlyContext = new ReadonlyContext(context);
  return typeof instruction === 'string' ? fillTemplate(instruction, context) : instruction(readonlyContext);
}

function textOf(instruction: string | Content): string {
  if (typeof instruction === 'string') return instruction;
  return (instruction.parts ?? []).flatMap(({ text }) => text ?? []).join('\n\n');
}
