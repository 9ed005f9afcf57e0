import {
  type Frames,
  type Known,
  type ProviderDialect,
  type ProviderRequest,
  type Refusal,
  type RefusalKind,
  type Said,
} from '../provider-dialect';
import { hear } from './gemini-hears';
import { brokenRule } from './gemini-rules';
import { candidateParts, usageOf } from './gemini-says';
import { generateContentSchema } from './gemini-schema';

/** The Gemini API's address, and Vertex AI's, which has a project and a place in it. */
const METHOD =
  /^\/v1(?:beta1?)?\/(?:projects\/[^/]+\/locations\/[^/]+\/publishers\/google\/)?models\/([^/:]+):(generateContent|streamGenerateContent)$/;
const FINISH = { end: 'STOP', tokens: 'MAX_TOKENS', safety: 'SAFETY' } as const;

/** The vendor's status, name and sentence, as its error reference has them: https://ai.google.dev/gemini-api/docs/troubleshooting */
const REFUSALS: Readonly<Record<RefusalKind, readonly [status: number, name: string, message: string]>> = {
  'wrong-key': [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
  'unknown-path': [404, 'NOT_FOUND', 'The requested URL was not found on this server.'],
  'unknown-model': [404, 'NOT_FOUND', 'The model is not found for API version v1beta.'],
  'bad-request': [400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  'too-long': [
    400,
    'INVALID_ARGUMENT',
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
  ],
  'rate-limited': [429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota.'],
  overloaded: [503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'],
  failed: [500, 'INTERNAL', 'An internal error has occurred.'],
};

/**
 * The Gemini API: https://ai.google.dev/api/generate-content. At Vertex AI's address it takes an access token for the key, and what
 * both take: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/projects.locations.publishers.models/generateContent
 */
export const geminiDialect: ProviderDialect = {
  name: 'Gemini',
  keepsOurIds: false,
  thoughts: 'signed',
  hasArgumentsAsText: false,
  lacks: [],
  check,
  isStreamed: ({ path }) => METHOD.exec(path)?.[2] === 'streamGenerateContent',
  hear: (request) => hear(METHOD.exec(request.path)?.[1] ?? '', generateContentSchema.parse(request.body)),
  whole,
  frames,
  garbage: frame('{"candidates": [{"content": {"parts": [{"te<html>'),
  refuse,
};

function check({ method, path, query, headers, body }: ProviderRequest, known: Known): Refusal | undefined {
  const asked = METHOD.exec(path);
  if (method !== 'POST' || !asked)
    return { kind: 'unknown-path', message: `${method} ${path} was not found.` };
  const isVertex = path.includes('/projects/');
  const key = isVertex ? headers.authorization?.replace('Bearer ', '') : headers['x-goog-api-key'];
  if (key !== known.apiKey) return { kind: 'wrong-key' };
  if (asked[1] !== known.model) {
    return {
      kind: 'unknown-model',
      message: `models/${asked[1] ?? ''} is not found for API version v1beta.`,
    };
  }
  if (asked[2] === 'streamGenerateContent' && query.get('alt') !== 'sse') {
    return {
      kind: 'bad-request',
      message: 'This server streams server-sent events alone: ask with alt=sse.',
    };
  }
  const { data, error } = generateContentSchema.safeParse(body);
  if (!error) {
    const message = brokenRule(data, known.model);
    return message === undefined ? undefined : { kind: 'bad-request', message };
  }
  const found = error.issues.map(({ path: place, message }) => `${place.map(String).join('.')}: ${message}`);
  return { kind: 'bad-request', message: `Invalid JSON payload received. ${found.join('; ')}` };
}

function whole(said: Said, model: string): string {
  const parts = candidateParts(said).flat();
  return said.stop === 'safety' && parts.length === 0
    ? json(blocked(said, model))
    : json(response(parts, said, model, true));
}

function frames(said: Said, model: string): Frames {
  const pieces = candidateParts(said, true);
  if (said.stop === 'safety' && pieces.length === 0) {
    const { usageMetadata: _counted, ...reason } = blocked(said, model);
    return {
      opening: [],
      body: [],
      closing: [frame(json(blocked(said, model)))],
      reason: frame(json(reason)),
    };
  }
  // The last chunk says why; its text is empty.
  const last = response([{ text: '' }], said, model, true);
  const { usageMetadata: _counted, ...reason } = last;
  return {
    opening: [],
    body: pieces.map((parts) => frame(json(response(parts, said, model, false)))),
    closing: [frame(json(last))],
    reason: frame(json(reason)),
  };
}

interface Answer {
  readonly candidates?: readonly object[];
  readonly promptFeedback?: object;
  readonly modelVersion: string;
  readonly responseId?: string;
  readonly usageMetadata: object;
}

function response(parts: readonly object[], said: Said, modelVersion: string, isLast: boolean): Answer {
  const ended = isLast ? { finishReason: FINISH[said.stop ?? 'end'] } : {};
  return {
    candidates: [{ content: { parts, role: 'model' }, ...ended, index: 0 }],
    usageMetadata: usageOf(said),
    modelVersion,
    responseId: 'r-1',
  };
}

function blocked(said: Said, modelVersion: string): Answer {
  return { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: usageOf(said), modelVersion };
}

function refuse({ kind, message }: Refusal): { status: number; body: string } {
  const [code, status, sentence] = REFUSALS[kind];
  return { status: code, body: JSON.stringify({ error: { code, message: message ?? sentence, status } }) };
}

/** `argsText` stands in the place of an object. */
function json(value: object): string {
  return JSON.stringify(value).replaceAll(/\{"argsText":("(?:[^"\\]|\\.)*")\}/g, (_all, text: string) =>
    String(JSON.parse(text)),
  );
}

function frame(data: string): string {
  return `data: ${data}\r\n\r\n`;
}
