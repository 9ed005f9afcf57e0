import { type MemoryEntry } from '@skein/contracts';
import { type Context } from '../agent/context';
import { appendInstructions, type LlmRequest } from '../model/llm-request';
import { BaseTool, type RunToolRequest } from './base-tool';
import { type FunctionDeclaration } from './function-declaration';

const INSTRUCTION =
  'You remember earlier conversations with this user. When a question may be answered by something said in one of ' +
  'them, look it up by calling load_memory with a query.';

/** Looks up what earlier sessions of the user hold about something (B61). */
export class LoadMemoryTool extends BaseTool {
  constructor() {
    super({
      name: 'load_memory',
      description: 'Looks up what was said in earlier conversations with this user.',
      placement: 'inline',
    });
  }

  override getDeclaration(): FunctionDeclaration {
    return {
      name: this.name,
      description: this.description,
      parametersJsonSchema: {
        type: 'object',
        properties: { query: { type: 'string', description: 'Words that were said then.' } },
        required: ['query'],
      },
    };
  }

  override refuseArguments({ query }: Readonly<Record<string, unknown>>): string | undefined {
    return typeof query === 'string' ? undefined : 'load_memory needs a query, as text.';
  }

  override async runAsync({ args, toolContext }: RunToolRequest): Promise<{ memories: MemoryEntry[] }> {
    const { memories } = await toolContext.searchMemory(String(args.query));
    return { memories };
  }

  override async processLlmRequest(request: { llmRequest: LlmRequest; toolContext: Context }): Promise<void> {
    await super.processLlmRequest(request);
    appendInstructions(request.llmRequest, [INSTRUCTION]);
  }
}

export const LOAD_MEMORY = new LoadMemoryTool();
