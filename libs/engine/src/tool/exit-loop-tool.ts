import { BaseTool, type RunToolRequest } from './base-tool';
import { type FunctionDeclaration } from './function-declaration';

/** Ends the loops its agent runs in (B39, B42). */
export class ExitLoopTool extends BaseTool {
  constructor() {
    super({
      name: 'exit_loop',
      description: 'Ends the loop. Call it only when you are told to.',
      placement: 'inline',
    });
  }

  override getDeclaration(): FunctionDeclaration {
    const { name, description } = this;
    return { name, description };
  }

  override async runAsync({ toolContext }: RunToolRequest): Promise<null> {
    toolContext.actions.escalate = true;
    // Nothing is left to be said: the loop's own work is the answer.
    toolContext.actions.skipSummarization = true;
    return null;
  }
}

export const EXIT_LOOP = new ExitLoopTool();
