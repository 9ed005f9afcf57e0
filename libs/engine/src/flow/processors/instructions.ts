import { type Content } from '@skein/contracts';
import { ReadonlyContext } from '../../agent/readonly-context';
import { type InvocationContext } from '../../agent/invocation-context';
import { isLlmAgent } from '../../agent/is-llm-agent';
import { type LlmAgent } from '../../agent/llm-agent';
import { type Instruction } from '../../agent/llm-agent-config';
import { appendInstructions, type LlmRequest } from '../../model/llm-request';
import { fillTemplate } from '../fill-template';
import { type RequestProcessor } from '../request-processor';

/** Adds the instructions: the root's for the whole tree first, then the agent's own, text or provider (B59). */
export const instructionsProcessor: RequestProcessor = {
  name: 'instructions',
  run(agent, context, request) {
    const root = context.rootAgent;
    const common = isLlmAgent(root) ? root.globalInstruction : '';
    // At every model call, and most have nothing to be asked for or filled in.
    if (!isPlain(common) || !isPlain(agent.instruction)) return addResolved(agent, context, request, common);
    add(agent, request, { common, own: agent.instruction });
  },
};

interface Told {
  readonly common: string;
  readonly own: string;
}

function add(agent: LlmAgent, request: LlmRequest, { common, own }: Told): void {
  if (agent.staticInstruction === undefined) {
    appendInstructions(request, [common, own]);
    return;
  }
  // What never changes is the system instruction, so that a provider can cache it; the rest travels with the
  // contents, which the contents processor puts in their place (B12).
  appendInstructions(request, [common, textOf(agent.staticInstruction)]);
  if (own) request.contents.push({ role: 'user', parts: [{ text: own }] });
}

async function addResolved(
  agent: LlmAgent,
  context: InvocationContext,
  request: LlmRequest,
  common: Instruction,
): Promise<void> {
  // One after the other: a provider of the agent's may count on what the root's did.
  const told = { common: await resolve(common, context), own: await resolve(agent.instruction, context) };
  add(agent, request, told);
}

function isPlain(instruction: Instruction): instruction is string {
  return typeof instruction === 'string' && !instruction.includes('{');
}

async function resolve(instruction: Instruction, context: InvocationContext): Promise<string> {
  if (typeof instruction === 'string') return fillTemplate(instruction, context);
  return instruction(new ReadonlyContext(context));
}

function textOf(instruction: string | Content): string {
  if (typeof instruction === 'string') return instruction;
  return (instruction.parts ?? []).flatMap(({ text }) => text ?? []).join('\n\n');
}
