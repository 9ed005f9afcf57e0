import { type FunctionDeclaration, type ParametersSchema } from './function-declaration';
import { FUNCTION_TOOL_OPTIONS, FunctionTool, type FunctionToolParams } from './function-tool';

const NOTE =
  'NOTE: this runs for long. Do not call it again when it has answered already that it is pending or under way.';

/** A tool whose answer may come much later, as a function response its user sends (B29). */
export class LongRunningFunctionTool<
  T extends ParametersSchema | undefined = undefined,
> extends FunctionTool<T> {
  constructor(params: FunctionToolParams<T>) {
    // Both classes are asked which one is made: only an author's own may have more options.
    const known = new.target === LongRunningFunctionTool ? FUNCTION_TOOL_OPTIONS : undefined;
    super({ ...params, isLongRunning: true }, known);
  }

  override getDeclaration(): FunctionDeclaration {
    const declaration = super.getDeclaration();
    return { ...declaration, description: [declaration.description, NOTE].filter(Boolean).join('\n\n') };
  }
}
