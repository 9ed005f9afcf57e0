import { type Content, type MemoryEntry } from '@skein/contracts';
import { type Context } from '../agent/context';
import { describeError } from '../error/describe-error';
import { appendInstructions, type LlmRequest } from '../model/llm-request';
import { warn } from '../telemetry/warn';
import { BaseTool, type RunToolRequest } from './base-tool';

const OPEN = '<PAST_CONVERSATIONS>';
const CLOSE = '</PAST_CONVERSATIONS>';

/** Tells the model, unasked, what earlier sessions of the user hold about what he says now (B61). No model calls it. */
export class PreloadMemoryTool extends BaseTool {
  constructor() {
    super({ name: 'preload_memory', description: 'Recalls earlier conversations.', placement: 'inline' });
  }

  override getDeclaration(): undefined {
    return undefined;
  }

  override async runAsync(_request: RunToolRequest): Promise<unknown> {
    throw new Error('preload_memory cannot be called.');
  }

  override async processLlmRequest({
    llmRequest,
    toolContext,
  }: {
    llmRequest: LlmRequest;
    toolContext: Context;
  }): Promise<void> {
    const query = textOf(toolContext.userContent);
    if (!query.trim()) return;
    const told = (await recall(query, toolContext)).flatMap(asLines);
    if (told.length === 0) return;
    appendInstructions(llmRequest, [
      'What follows was said in earlier conversations with this user, and may help with what he says now.\n' +
        [OPEN, ...told, CLOSE].join('\n'),
    ]);
  }
}

export const PRELOAD_MEMORY = new PreloadMemoryTool();

/** Memory is a help, not a need: without it the agent answers as it would to a new user. */
async function recall(query: string, context: Context): Promise<readonly MemoryEntry[]> {
  try {
    return (await context.searchMemory(query)).memories;
  } catch (error) {
    const { agentName: agent, invocationId } = context;
    warn('memory could not be preloaded', { agent, invocationId, reason: describeError(error) });
    return [];
  }
}

function asLines({ content, author, timestamp }: MemoryEntry): string[] {
  // What a user once said must not be able to end the block it is quoted in.
  const text = textOf(content).replaceAll(CLOSE, '');
  if (!text.trim()) return [];
  return [...(timestamp ? [`Time: ${timestamp}`] : []), author ? `${author}: ${text}` : text];
}

function textOf(content: Content | undefined): string {
  return (content?.parts ?? []).flatMap(({ text, thought }) => (text && !thought ? [text] : [])).join(' ');
}
