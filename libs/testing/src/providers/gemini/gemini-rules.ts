import { type GenerateContentBody } from './gemini-schema';

type WireContent = GenerateContentBody['contents'][number];
type WirePart = WireContent['parts'][number];
type Rule = (body: GenerateContentBody, model: string) => string | undefined;

/** The first rule between fields that a body breaks, in the vendor's words. */
export function brokenRule(body: GenerateContentBody, model: string): string | undefined {
  for (const rule of RULES) {
    const broken = rule(body, model);
    if (broken !== undefined) return broken;
  }
  return undefined;
}

const RULES: readonly Rule[] = [
  userLast,
  textSaysSomething,
  callsFollowUser,
  responsesFollowCalls,
  callsAreSigned,
  toolsAreKnown,
];

function userLast({ contents }: GenerateContentBody): string | undefined {
  return contents.at(-1)?.role === 'model'
    ? 'Please ensure that the conversation ends with a user role.'
    : undefined;
}

/** Vertex AI's rule; a signature may come in a part whose text is empty. */
function textSaysSomething({ contents, systemInstruction }: GenerateContentBody): string | undefined {
  const parts = [...contents, ...(systemInstruction ? [systemInstruction] : [])].flatMap((one) => one.parts);
  return parts.some(({ text, thoughtSignature }) => text === '' && thoughtSignature === undefined)
    ? 'Unable to submit request because it has an empty text parameter. Add a value to the parameter and try again.'
    : undefined;
}

function callsFollowUser({ contents }: GenerateContentBody): string | undefined {
  const isLost = contents.some(
    (content, n) => callsIn(content).length > 0 && (content.role !== 'model' || !isUsers(contents[n - 1])),
  );
  return isLost
    ? 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
    : undefined;
}

function responsesFollowCalls({ contents }: GenerateContentBody): string | undefined {
  for (const [n, content] of contents.entries()) {
    const { length: calls } = n > 0 ? callsIn(contents[n - 1]) : [];
    const { length: responses } = content.parts.filter(({ functionResponse }) => functionResponse);
    if (responses > 0 && (calls === 0 || content.role === 'model')) {
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    }
    if (responses !== calls) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    }
  }
  return undefined;
}

/** https://ai.google.dev/gemini-api/docs/thought-signatures: the first call of each step since the user's last words. */
function callsAreSigned({ contents }: GenerateContentBody, model: string): string | undefined {
  if (Number(/gemini-(\d+)/.exec(model)?.[1] ?? 0) < 3) return undefined;
  const from = contents.findLastIndex(
    (content) => isUsers(content) && content.parts.some(({ functionResponse }) => !functionResponse),
  );
  for (const [n, content] of contents.entries()) {
    const [first] = n > from ? callsIn(content) : [];
    if (first && !first.thoughtSignature) {
      return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${first.functionCall?.name ?? ''}\`, position ${n + 1}.`;
    }
  }
  return undefined;
}

function toolsAreKnown({ tools = [], toolConfig }: GenerateContentBody): string | undefined {
  const empty = tools.findIndex((tool) => Object.keys(tool).length === 0);
  if (empty !== -1) {
    return `tools[${empty}].tool_type: required one_of 'tool_type' must have one initialized field`;
  }
  const names = tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name),
  );
  const twice = names.find((name, n) => names.indexOf(name) !== n);
  if (twice !== undefined) return `Duplicate function declaration found: ${twice}`;
  const calling = toolConfig?.functionCallingConfig;
  if (!calling) return undefined;
  if (names.length === 0) return 'Function calling config is set without function_declarations.';
  const unknown = calling.allowedFunctionNames?.find((name) => !names.includes(name));
  return unknown === undefined
    ? undefined
    : `Function calling config is set with an allowed function name that is not declared: ${unknown}`;
}

function callsIn(content: WireContent | undefined): readonly WirePart[] {
  return content?.parts.filter(({ functionCall }) => functionCall) ?? [];
}

function isUsers(content: WireContent | undefined): boolean {
  return content !== undefined && content.role !== 'model';
}
