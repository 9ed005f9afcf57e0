import { BaseTool } from '../tool/base-tool';

/** A tool threw, or there is no such tool: on_tool_error may answer it, else the model reads it. */
export class ToolError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ToolError';
  }
}

/** Stands for a tool the model made up, so that callbacks have something to look at (B28). */
export class UnknownTool extends BaseTool {
  readonly error: ToolError;

  constructor(name: string, available: readonly string[]) {
    super({ name, description: 'Tool not found' });
    this.error = new ToolError(
      'tool.unknown',
      `Tool '${name}' not found.\nAvailable tools: ${available.join(', ')}`,
    );
  }

  override getDeclaration(): undefined {
    return undefined;
  }

  override async runAsync(): Promise<never> {
    throw this.error;
  }
}
