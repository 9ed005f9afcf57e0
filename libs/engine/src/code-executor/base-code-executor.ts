import { type Context } from '../agent/context';
import { type ToolOptions } from '../tool/tool-options';

export interface CodeExecutionInput {
  readonly code: string;
  /** The language the model named, in lower case; empty when it named none. */
  readonly language: string;
}

export interface CodeExecutionResult {
  readonly stdout: string;
  readonly stderr: string;
}

export interface CodeExecutorOptions extends ToolOptions {
  /** Opening and closing marks of code in a model's text. */
  readonly codeBlockDelimiters?: readonly (readonly [string, string])[];
}

const DEFAULT_DELIMITERS: readonly (readonly [string, string])[] = [
  ['```tool_code\n', '\n```'],
  ['```python\n', '\n```'],
  ['```javascript\n', '\n```'],
];

/** Runs the code a model writes. It goes the way of a tool call, so it runs in a tool worker unless placed inline. */
export abstract class BaseCodeExecutor {
  readonly codeBlockDelimiters: readonly (readonly [string, string])[];
  readonly toolOptions: ToolOptions;

  constructor({ codeBlockDelimiters = DEFAULT_DELIMITERS, ...toolOptions }: CodeExecutorOptions = {}) {
    this.codeBlockDelimiters = codeBlockDelimiters;
    this.toolOptions = toolOptions;
  }

  /** Runs one block. What the code itself does wrong is in `stderr`; a throw is a failure of the executor. */
  abstract executeCode(input: CodeExecutionInput, context: Context): Promise<CodeExecutionResult>;
}
