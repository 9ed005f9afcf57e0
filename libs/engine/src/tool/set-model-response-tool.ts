import { BaseTool, type RunToolRequest } from './base-tool';
import { type FunctionDeclaration, type Parameters } from './function-declaration';
import { refuseArguments } from './refuse-arguments';

export const SET_MODEL_RESPONSE = 'set_model_response';

/** How a model gives an answer of the agent's output schema while it has other tools to call (B38). */
export class SetModelResponseTool extends BaseTool {
  constructor(private readonly output: Parameters) {
    super({
      name: SET_MODEL_RESPONSE,
      description: 'Gives your final answer, in the shape that is asked for.',
      placement: 'inline',
    });
  }

  override getDeclaration(): FunctionDeclaration {
    const { jsonSchema } = this.output;
    const declaration = { name: this.name, description: this.description };
    return jsonSchema ? { ...declaration, parametersJsonSchema: jsonSchema } : declaration;
  }

  override refuseArguments(args: Readonly<Record<string, unknown>>): string | undefined {
    return refuseArguments(this.name, this.output, args);
  }

  override async runAsync({ args }: RunToolRequest): Promise<unknown> {
    return this.output.parse(args);
  }
}
