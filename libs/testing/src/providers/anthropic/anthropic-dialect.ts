import { createHash } from 'node:crypto';
import {
  type Known,
  type ProviderDialect,
  type ProviderRequest,
  type Refusal,
  type RefusalKind,
} from '../provider-dialect';
import { hearMessages } from './anthropic-hears';
import { brokenRule, type SignedThoughts } from './anthropic-rules';
import { frame, messageFrames, type Signature, wholeMessage } from './anthropic-says';
import { messagesSchema, wrongFields } from './anthropic-schema';

const VERSION = '2026-10-21';

/** Status, type and sentence: https://platform.claude.com/docs/en/api/errors */
const REFUSALS: Readonly<Record<RefusalKind, readonly [status: number, type: string, message: string]>> = {
  'wrong-key': [401, 'authentication_error', 'API key is invalid.'],
  'unknown-path': [404, 'not_found_error', 'Not Found'],
  'unknown-model': [404, 'not_found_error', 'model: not found'],
  'bad-request': [400, 'invalid_request_error', 'There was an issue with the format of your request.'],
  'too-long': [400, 'invalid_request_error', 'prompt is too long: 1200000 tokens > 1000000 maximum'],
  'rate-limited': [
    429,
    'rate_limit_error',
    "This request would exceed your organization's rate limit of 50 requests per minute.",
  ],
  overloaded: [529, 'overloaded_error', 'Overloaded'],
  failed: [500, 'api_error', 'Internal server error'],
};

/** The Messages API, version 2026-10-21. It knows the thoughts that it said, and takes no others back. */
export function createAnthropicDialect(): ProviderDialect {
  const signed = new Map<string, string>();
  const signature: Signature = ({ thought, signature: given }) => {
    const made = given ?? createHash('sha256').update(thought).digest('base64');
    signed.set(made, thought);
    return made;
  };
  return {
    name: 'Claude',
    keepsOurIds: true,
    thoughts: 'signed',
    hasArgumentsAsText: true,
    lacks: ['audio/wav', 'json-without-schema', 'temperature'],
    check: (request, known) => check(request, known, signed),
    isStreamed: ({ body }) => messagesSchema.parse(body).stream === true,
    hear: ({ body }) => hearMessages(messagesSchema.parse(body)),
    whole: (said, model) => JSON.stringify(wholeMessage(said, model, signature)),
    frames: (said, model) => messageFrames(said, model, signature),
    garbage: frame('content_block_delta', {}).replace('{', '{"del<html>'),
    refuse,
  };
}

function check(
  { method, path, headers, body }: ProviderRequest,
  known: Known,
  signed: SignedThoughts,
): Refusal | undefined {
  const bearer = headers.authorization?.replace(/^Bearer /, '');
  const key = headers['x-api-key'] ?? bearer;
  if (key === undefined) return { kind: 'wrong-key', message: 'An API key is required.' };
  if (key !== known.apiKey) return { kind: 'wrong-key' };
  if (method !== 'POST' || path !== '/v1/messages') return { kind: 'unknown-path' };
  const version = headers['anthropic-version'];
  if (version !== VERSION) {
    return {
      kind: 'bad-request',
      message: `anthropic-version: ${version ? `"${String(version)}" is not a version this server speaks` : 'header is required'}`,
    };
  }
  if (!headers['content-type']?.startsWith('application/json')) {
    return { kind: 'bad-request', message: 'content-type: must be application/json' };
  }
  return checkBody(body, known, signed);
}

function checkBody(body: unknown, known: Known, signed: SignedThoughts): Refusal | undefined {
  const asked = typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
  if (typeof asked === 'string' && asked !== known.model) {
    return { kind: 'unknown-model', message: `model: ${asked}` };
  }
  const message = wrongFields(body) ?? brokenRule(messagesSchema.parse(body), signed);
  return message === undefined ? undefined : { kind: 'bad-request', message };
}

function refuse({ kind, message }: Refusal): { status: number; body: string } {
  const [status, type, sentence] = REFUSALS[kind];
  const error = { type, message: message ?? sentence };
  return {
    status,
    body: JSON.stringify({ type: 'error', error, request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy' }),
  };
}
