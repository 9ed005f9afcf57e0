import { type Content, type Part } from '@skein/contracts';
import {
  appendInstructions,
  BaseTool,
  type Context,
  describeError,
  type FunctionDeclaration,
  getFunctionResponses,
  type LlmRequest,
  readContents,
  type RunToolRequest,
  warn,
} from '@skein/engine';
import { type McpResourceContent } from './mcp-resources';
import { type MCPToolset } from './mcp-toolset';

const NAME = 'load_mcp_resource';
const MAX_INSTRUCTION_LENGTH = 32 * 1024;

/** Tells the model which resources a server has, and shows it those it asks for, in its next request only. */
export class LoadMcpResourceTool extends BaseTool {
  constructor(private readonly mcpToolset: MCPToolset) {
    super({
      name: NAME,
      description: 'Shows you the content of resources of the MCP server, until your next answer.',
      // It works on the request the runner makes.
      placement: 'inline',
    });
  }

  override getDeclaration(): FunctionDeclaration {
    return {
      name: this.name,
      description: this.description,
      parametersJsonSchema: {
        type: 'object',
        properties: {
          resource_names: {
            type: 'array',
            items: { type: 'string' },
            description: 'The names of the resources.',
          },
        },
      },
    };
  }

  override async runAsync({ args }: RunToolRequest): Promise<Record<string, unknown>> {
    return {
      resource_names: namesIn(args),
      status: `The contents follow, once. Call ${NAME} again to see them later.`,
    };
  }

  override async processLlmRequest(request: { llmRequest: LlmRequest; toolContext: Context }): Promise<void> {
    await super.processLlmRequest(request);
    const { llmRequest, toolContext } = request;
    try {
      const names = await this.mcpToolset.listResources(toolContext);
      if (names.length === 0) return;
      appendInstructions(llmRequest, [instructionFor(names)]);
      for (const name of askedFor(llmRequest)) {
        const contents = await this.mcpToolset.readResource(name, toolContext);
        llmRequest.contents.push(...contents.map((content) => shown(name, content)));
      }
    } catch (error) {
      // As with its tools: a server that is away costs the model what it has, and nothing else.
      const { agentName: agent, invocationId } = toolContext;
      const reason = describeError(error);
      warn('resources of an MCP server could not be shown', { agent, invocationId, reason });
    }
  }
}

function instructionFor(names: readonly string[]): string {
  const list = JSON.stringify(names).slice(0, MAX_INSTRUCTION_LENGTH);
  return (
    `There are these resources of an MCP server: ${list}\n` +
    `Before you answer a question about one of them, call ${NAME} with its name, also when you saw it before: ` +
    'its content is not kept in the conversation.'
  );
}

/** The names in the call that was answered last; later on their contents are no longer shown. */
function askedFor(request: LlmRequest): string[] {
  const responses = getFunctionResponses({ content: readContents(request).at(-1) });
  return responses.filter(({ name }) => name === NAME).flatMap(({ response }) => namesIn(response ?? {}));
}

function namesIn({ resource_names: names }: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
}

function shown(name: string, content: McpResourceContent): Content {
  return { role: 'user', parts: [{ text: `Resource ${name} is:` }, asPart(content)] };
}

function asPart(content: McpResourceContent): Part {
  const { text, blob, mimeType = 'application/octet-stream' } = content;
  if (typeof blob === 'string') return { inlineData: { data: blob, mimeType } };
  return { text: typeof text === 'string' ? text : '' };
}
