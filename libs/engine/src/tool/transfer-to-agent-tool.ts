import { isInvocationContext } from '../agent/invocation-context';
import { transferTarget } from '../flow/transfer-target';
import { BaseTool, type RunToolRequest } from './base-tool';
import { type FunctionDeclaration } from './function-declaration';

export const TRANSFER_TO_AGENT = 'transfer_to_agent';

/** Hands the conversation over to another agent (B37). */
export class TransferToAgentTool extends BaseTool {
  constructor(private readonly targets: readonly string[] = []) {
    super({
      name: TRANSFER_TO_AGENT,
      description: 'Hands the conversation over to another agent, which then answers in your place.',
      placement: 'inline',
    });
  }

  override getDeclaration(): FunctionDeclaration {
    const names = this.targets.length > 0 ? { enum: [...this.targets] } : {};
    return {
      name: this.name,
      description: this.description,
      parametersJsonSchema: {
        type: 'object',
        properties: { agentName: { type: 'string', description: 'The name of the agent.', ...names } },
        required: ['agentName'],
      },
    };
  }

  /** A name that does not fit is an error the model reads, so that it may choose another. */
  override async runAsync({ args, toolContext }: RunToolRequest): Promise<unknown> {
    const name = nameIn(args);
    const scope = toolContext.contextScope;
    if (isInvocationContext(scope)) transferTarget(scope.agent, name);
    toolContext.actions.transferToAgent = name;
    return null;
  }

  override refuseArguments(args: Readonly<Record<string, unknown>>): string | undefined {
    return nameIn(args) === '' ? 'transfer_to_agent needs an agentName.' : undefined;
  }
}

/** Models trained on adk-python write its snake_case. */
function nameIn({ agentName, agent_name: snakeCase }: Readonly<Record<string, unknown>>): string {
  const name = agentName ?? snakeCase;
  return typeof name === 'string' ? name : '';
}
