import { fromGenaiSchema, type FunctionDeclaration, type GenerateContentConfig } from '@skein/engine';
import { type ToolNames } from '../request/tool-names';

type RequestedTool = NonNullable<GenerateContentConfig['tools']>[number];
/** As a callback may write it: `parameters` is google-genai's Schema. */
type GivenDeclaration = Omit<FunctionDeclaration, 'description'> & {
  readonly description?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
};

interface ToolConfig {
  readonly functionCallingConfig?: {
    readonly mode?: string;
    readonly allowedFunctionNames?: readonly string[];
  };
}

/** The functions that a request declares, in their order. */
export function declaredNames({ tools = [] }: GenerateContentConfig): string[] {
  return tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));
}

/** Tools and their choice as the API takes them: each function once, and no choice where there is none. */
export function toGeminiTools(
  { tools = [], toolConfig }: GenerateContentConfig,
  names: Pick<ToolNames, 'sent'>,
): Pick<GenerateContentConfig, 'tools'> & { toolConfig?: ToolConfig } {
  const declared = new Set<string>();
  const told = tools.map(({ functionDeclarations = [], ...others }): RequestedTool => {
    const fresh = functionDeclarations.filter(({ name }) => !declared.has(name) && declared.add(name));
    return {
      ...others,
      ...(fresh.length > 0 ? { functionDeclarations: fresh.map((one) => toDeclaration(one, names)) } : {}),
    };
  });
  const used = told.filter((tool) => Object.values(tool).some((value) => value !== undefined));
  return {
    ...(used.length > 0 ? { tools: used } : {}),
    ...choiceOf(toolConfig ?? {}, declared, names),
  };
}

/** JSON Schema, which says more than the API's own Schema and is refused beside it. */
function toDeclaration(
  { parameters, ...declaration }: GivenDeclaration,
  names: Pick<ToolNames, 'sent'>,
): FunctionDeclaration {
  const schema = declaration.parametersJsonSchema ?? (parameters && fromGenaiSchema(parameters));
  return {
    ...declaration,
    name: names.sent(declaration.name),
    description: declaration.description ?? '',
    ...(schema ? { parametersJsonSchema: schema } : {}),
  };
}

function choiceOf(
  { functionCallingConfig: calling, ...others }: ToolConfig,
  declared: ReadonlySet<string>,
  names: Pick<ToolNames, 'sent'>,
): { toolConfig?: ToolConfig } {
  const { allowedFunctionNames = [], ...rest } = calling ?? {};
  // Names are refused where any function may be called, and of functions that are not declared.
  const isNarrowed = rest.mode === 'ANY' || rest.mode === 'VALIDATED';
  const allowed = isNarrowed ? allowedFunctionNames.filter((name) => declared.has(name)) : [];
  const toolConfig = {
    ...others,
    ...(calling && declared.size > 0
      ? {
          functionCallingConfig: {
            ...rest,
            ...(allowed.length > 0 ? { allowedFunctionNames: allowed.map((name) => names.sent(name)) } : {}),
          },
        }
      : {}),
  };
  return Object.keys(toolConfig).length > 0 ? { toolConfig } : {};
}
