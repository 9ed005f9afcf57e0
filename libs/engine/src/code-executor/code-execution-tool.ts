import { BaseTool, type RunToolRequest } from '../tool/base-tool';
import { type BaseCodeExecutor, type CodeExecutionResult } from './base-code-executor';

/** The name a worker finds an agent's executor under; no model is told of it. */
export const CODE_EXECUTION = 'adk_execute_code';

/** An agent's executor as a call of the tool plane: dispatched, timed out and tried again as any other. */
export class CodeExecutionTool extends BaseTool {
  constructor(private readonly executor: BaseCodeExecutor) {
    super({ ...executor.toolOptions, name: CODE_EXECUTION, description: 'Runs code an agent wrote.' });
  }

  override getDeclaration(): undefined {
    return undefined;
  }

  override async runAsync({ args, toolContext }: RunToolRequest): Promise<CodeExecutionResult> {
    // What runCode made of an answer's part; no model calls this tool.
    const { code, language } = args as { code: string; language: string };
    return this.executor.executeCode({ code, language }, toolContext);
  }

  /** The outcome in google-genai's shape: what went wrong instead of what was printed, when anything did. */
  static resultPart(result: unknown): { outcome: string; output: string } {
    // What executeCode answered, in this process or in another.
    const { stdout = '', stderr = '' } = (result ?? {}) as Partial<CodeExecutionResult>;
    return stderr ? { outcome: 'OUTCOME_FAILED', output: stderr } : { outcome: 'OUTCOME_OK', output: stdout };
  }
}
