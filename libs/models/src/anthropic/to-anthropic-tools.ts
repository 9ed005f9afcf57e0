import type { Tool, ToolChoice } from '@anthropic-ai/sdk/resources/messages';
import { AdkError } from '@skein/contracts';
import { fromGenaiSchema } from '@skein/engine';
import { toolSchema } from '../request/tool-schema';
import { type ToolNames } from '../request/tool-names';
import { type AnthropicConfig, type FunctionDeclaration } from './anthropic-config';

export interface AnthropicTools {
  readonly tools?: Tool[];
  readonly tool_choice?: ToolChoice;
}

/** The declared functions, and whether one of them has to be called. Throws `model.unsupported-tool` for tools of Google's. */
export function toAnthropicTools(
  { tools = [], toolConfig }: AnthropicConfig,
  names: Pick<ToolNames, 'sent'>,
): AnthropicTools {
  const declared = tools.flatMap(({ functionDeclarations = [], ...others }) => {
    const [other] = Object.entries(others).flatMap(([kind, value]) => (value ? [kind] : []));
    if (other !== undefined) {
      const message = `Claude has no tool "${other}", only functions that are declared.`;
      throw new AdkError('invalid', 'model.unsupported-tool', message);
    }
    return functionDeclarations;
  });
  if (declared.length === 0) return {};
  const toTool = (declaration: FunctionDeclaration): Tool =>
    asTool(declaration, names.sent(declaration.name));

  const { mode, allowedFunctionNames = [] } = toolConfig?.functionCallingConfig ?? {};
  if (mode !== 'ANY')
    return { tools: declared.map(toTool), ...(mode === 'NONE' ? { tool_choice: { type: 'none' } } : {}) };
  const [only, ...more] = allowedFunctionNames;
  if (only !== undefined && more.length === 0) {
    return { tools: declared.map(toTool), tool_choice: { type: 'tool', name: names.sent(only) } };
  }
  // Of several the API cannot be told; those that may not be called are not offered.
  const allowed = declared.filter(({ name }) => only === undefined || allowedFunctionNames.includes(name));
  return { tools: allowed.map(toTool), tool_choice: { type: 'any' } };
}

function asTool({ description, parametersJsonSchema, parameters }: FunctionDeclaration, name: string): Tool {
  const schema = parametersJsonSchema ?? (parameters ? fromGenaiSchema(parameters) : { properties: {} });
  return {
    name,
    ...(description ? { description } : {}),
    input_schema: { ...toolSchema(schema), type: 'object' },
  };
}
