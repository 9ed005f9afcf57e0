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
  override readonly name: string;
  readonly error: ToolError;

  constructor(name: string, available: readonly string[]) {
    super({ name: 'unknown_tool', description: 'Tool not found' });
    // Set here, because what a model makes up need not be a name that a tool may have.
    this.name = name;
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
