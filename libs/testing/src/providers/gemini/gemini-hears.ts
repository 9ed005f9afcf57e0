import { type Heard, type HeardPart, type HeardTurn, joinTurns } from '../provider-dialect';
import { type GenerateContentBody } from './gemini-schema';

type WireContent = GenerateContentBody['contents'][number];
type WirePart = WireContent['parts'][number];

const MODES = { AUTO: 'auto', VALIDATED: 'auto', ANY: 'any', NONE: 'none' } as const;

/** A request that was checked, in no provider's words. */
export function hear(model: string, body: GenerateContentBody): Heard {
  const { generationConfig: config = {} } = body;
  const { temperature, maxOutputTokens, stopSequences } = config;
  const calling = body.toolConfig?.functionCallingConfig;
  const json = config.responseMimeType === 'application/json';
  const schema = config.responseJsonSchema ?? lowerCased(config.responseSchema);
  const system = body.systemInstruction?.parts.map(({ text = '' }) => text).join('');
  return {
    model,
    ...(system === undefined ? {} : { system }),
    turns: joinTurns(body.contents.map(turnOf)),
    tools: (body.tools ?? []).flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
    ...(calling
      ? {
          choice: {
            mode: MODES[calling.mode ?? 'AUTO'],
            ...(calling.allowedFunctionNames ? { names: calling.allowedFunctionNames } : {}),
          },
        }
      : {}),
    ...(json ? { json: schema === undefined ? {} : { schema } } : {}),
    thinks: config.thinkingConfig?.includeThoughts === true,
    settings: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(stopSequences === undefined ? {} : { stopSequences }),
    },
  };
}

function turnOf({ role = 'user', parts }: WireContent): HeardTurn {
  return { role, parts: parts.map(partOf) };
}

function partOf(part: WirePart): HeardPart {
  const { text = '', functionCall, functionResponse, inlineData, fileData, thoughtSignature } = part;
  if (functionCall) {
    const { id, name, args = {} } = functionCall;
    return { call: { ...(id === undefined ? {} : { id }), name, args } };
  }
  if (functionResponse) {
    const { id, name, response } = functionResponse;
    return { response: { ...(id === undefined ? {} : { id }), name, response } };
  }
  if (inlineData) {
    const data = Buffer.from(inlineData.data, 'base64').toString('base64');
    return { media: { mimeType: inlineData.mimeType, data } };
  }
  if (fileData) {
    const { mimeType, fileUri: uri } = fileData;
    return { media: { ...(mimeType === undefined ? {} : { mimeType }), uri } };
  }
  if (!part.thought) return { text };
  return { thought: text, ...(thoughtSignature === undefined ? {} : { signature: thoughtSignature }) };
}

/** A Schema's types are JSON Schema's in capitals. */
function lowerCased(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerCased);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]: [string, unknown]) => [
      name,
      name === 'type' && typeof value === 'string' ? value.toLowerCase() : lowerCased(value),
    ]),
  );
}
