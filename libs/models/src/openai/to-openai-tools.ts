import type { FunctionCallingConfig, GenerateContentConfig } from '@google/genai';
import { AdkError } from '@skein/contracts';
import { fromGenaiSchema, type JsonSchema } from '@skein/engine';
import type {
  ChatCompletionCreateParamsBase,
  ChatCompletionFunctionTool,
  ChatCompletionToolChoiceOption,
} from 'openai/resources/chat/completions';
import { toolSchema } from '../request/tool-schema';
import { type ToolNames } from '../request/tool-names';

interface Declaration {
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema: JsonSchema;
}

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

/** The functions that may be called. Throws `model.unsupported-tool` for a tool that only its own provider can run. */
export function declarationsOf({ tools = [] }: GenerateContentConfig): Declaration[] {
  return tools.flatMap((tool) => {
    const { functionDeclarations = [], ...others } = tool as { functionDeclarations?: GenaiDeclaration[] };
    const [other] = Object.entries(others).flatMap(([name, value]) => (value ? name : []));
    if (other !== undefined) {
      const message = `OpenAI-compatible models have no tool "${other}": only functions can be declared to them.`;
      throw new AdkError('invalid', 'model.unsupported-tool', message);
    }
    return functionDeclarations.map(({ name = '', description, parametersJsonSchema, parameters }) => ({
      name,
      description,
      schema: parametersJsonSchema ?? (parameters ? fromGenaiSchema(parameters) : NO_ARGUMENTS),
    }));
  });
}

/** A declaration of the engine's, or one that a callback wrote in google-genai's form. */
interface GenaiDeclaration {
  readonly name?: string;
  readonly description?: string;
  readonly parametersJsonSchema?: JsonSchema;
  readonly parameters?: JsonSchema;
}

/** The tools and whether one has to be called, or nothing: the API refuses a choice among none. */
export function toOpenAITools(
  declarations: readonly Declaration[],
  { toolConfig }: GenerateContentConfig,
  names: ToolNames,
): Pick<ChatCompletionCreateParamsBase, 'tools' | 'tool_choice'> {
  const calling = toolConfig?.functionCallingConfig;
  const allowed = calling && isForced(calling) ? (calling.allowedFunctionNames ?? []) : [];
  // Of several allowed ones the others are not declared: servers of one's own know no list of them.
  const declared =
    allowed.length > 1 ? declarations.filter(({ name }) => allowed.includes(name)) : declarations;
  if (declared.length === 0) return {};
  const choice = calling && choiceOf(calling, names);
  return {
    tools: declared.map((declaration) => toolOf(declaration, names)),
    ...(choice ? { tool_choice: choice } : {}),
  };
}

function toolOf({ name, description, schema }: Declaration, names: ToolNames): ChatCompletionFunctionTool {
  return {
    type: 'function',
    function: {
      name: names.sent(name),
      ...(description ? { description } : {}),
      parameters: toolSchema(schema),
    },
  };
}

function choiceOf(
  calling: FunctionCallingConfig,
  names: ToolNames,
): ChatCompletionToolChoiceOption | undefined {
  const [only, ...others] = calling.allowedFunctionNames ?? [];
  if (isForced(calling)) {
    return only !== undefined && others.length === 0
      ? { type: 'function', function: { name: names.sent(only) } }
      : 'required';
  }
  if (modeOf(calling) === 'NONE') return 'none';
  return calling.mode === undefined ? undefined : 'auto';
}

function isForced(calling: FunctionCallingConfig): boolean {
  return modeOf(calling) === 'ANY';
}

/** As a text, which authors write where the SDK has an enum. */
function modeOf({ mode }: FunctionCallingConfig): string | undefined {
  return mode;
}
