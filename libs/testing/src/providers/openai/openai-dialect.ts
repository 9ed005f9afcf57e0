import {
  type Known,
  type ProviderDialect,
  type ProviderRequest,
  type Refusal,
  type RefusalKind,
} from '../provider-dialect';
import { hearCompletion } from './openai-hears';
import { brokenRule } from './openai-rules';
import { completionFrames, frame, wholeCompletion } from './openai-says';
import { completionSchema, wrongFields } from './openai-schema';

/** Status, type, code and sentence: https://platform.openai.com/docs/guides/error-codes */
const REFUSALS: Readonly<
  Record<RefusalKind, readonly [status: number, type: string, code: string | null, message: string]>
> = {
  'wrong-key': [
    401,
    'invalid_request_error',
    'invalid_api_key',
    'Incorrect API key provided: sk-wrong. You can find your API key at https://platform.openai.com/account/api-keys.',
  ],
  'unknown-path': [404, 'invalid_request_error', null, 'Invalid URL'],
  'unknown-model': [404, 'invalid_request_error', 'model_not_found', 'The model does not exist.'],
  'bad-request': [400, 'invalid_request_error', null, 'Invalid request.'],
  'too-long': [
    400,
    'invalid_request_error',
    'context_length_exceeded',
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens. Please reduce the length of the messages.",
  ],
  'rate-limited': [429, 'requests', 'rate_limit_exceeded', 'Rate limit reached for requests per min (RPM).'],
  overloaded: [503, 'server_error', null, 'The server is overloaded or not ready yet.'],
  failed: [500, 'server_error', null, 'The server had an error while processing your request.'],
};

/** OpenAI's own Chat Completions API: https://platform.openai.com/docs/api-reference/chat/create */
export const openaiDialect = dialect('OpenAI', false);

/** A server of one's own that speaks it, with what vLLM and LiteLLM add; without a key where it is started with none. */
export const openaiCompatibleDialect = dialect('an OpenAI-compatible server', true);

function dialect(name: string, isExtended: boolean): ProviderDialect {
  return {
    name,
    basePath: '/v1',
    keepsOurIds: true,
    thoughts: isExtended ? 'told' : 'none',
    hasArgumentsAsText: true,
    lacks: [],
    check: (request, known) => check(request, known, isExtended),
    isStreamed: ({ body }) => completionSchema.parse(body).stream === true,
    hear: ({ body }) => hearCompletion(completionSchema.parse(body)),
    whole: (said, model) => JSON.stringify(wholeCompletion(said, model)),
    frames: completionFrames,
    garbage: frame('{"choices": [{"del<html>'),
    refuse,
  };
}

function check(request: ProviderRequest, known: Known, isExtended: boolean): Refusal | undefined {
  const { method, path, headers, body } = request;
  const problem = keyProblem(headers.authorization, known);
  if (problem) return problem;
  if (method !== 'POST' || path !== '/v1/chat/completions') {
    return { kind: 'unknown-path', message: `Invalid URL (${method} ${path})` };
  }
  if (!headers['content-type']?.startsWith('application/json')) {
    return { kind: 'bad-request', message: 'you must provide a JSON body' };
  }
  const model = typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
  if (typeof model === 'string' && model !== known.model) {
    return {
      kind: 'unknown-model',
      message: `The model \`${model}\` does not exist or you do not have access to it.`,
    };
  }
  const message = wrongFields(body, isExtended) ?? brokenRule(completionSchema.parse(body), isExtended);
  return message === undefined ? undefined : { kind: 'bad-request', message };
}

function keyProblem(authorization: string | undefined, { apiKey }: Known): Refusal | undefined {
  if (apiKey === '') {
    return authorization === undefined
      ? undefined
      : { kind: 'wrong-key', message: 'This server takes no API key.' };
  }
  if (authorization === undefined) {
    return { kind: 'wrong-key', message: "You didn't provide an API key in an Authorization header." };
  }
  return authorization === `Bearer ${apiKey}` ? undefined : { kind: 'wrong-key' };
}

function refuse({ kind, message }: Refusal): { status: number; body: string } {
  const [status, type, code, sentence] = REFUSALS[kind];
  const error = { message: message ?? sentence, type, param: null, code };
  return { status, body: JSON.stringify({ error }) };
}
