import Anthropic from '@anthropic-ai/sdk';
import { ApiError } from '@google/genai';
import { AdkError } from '@skein/contracts';
import OpenAI from 'openai';
import { ModelTimeout } from '../retry/retry-policy';
import { providerError } from './provider-error';
import { isPassing, readFailure } from './read-failure';

const headers = new Headers();
const asked = { apiKey: 'sk-secret-1', model: 'm-1' };

function openai(status: number, error: object): Error {
  return OpenAI.APIError.generate(status, { error }, undefined, headers);
}
function anthropic(status: number, type: string, message: string): Error {
  const body = { type: 'error', error: { type, message } };
  return Anthropic.APIError.generate(status, body, undefined, headers);
}
function gemini(status: number, message: string, details: object[] = []): Error {
  return new ApiError({ status, message: JSON.stringify({ error: { code: status, message, details } }) });
}

describe('providerError', () => {
  it.each([
    ['openai', openai(401, { message: 'Incorrect API key provided: sk-secret-1.', code: 'invalid_api_key' })],
    ['anthropic', anthropic(401, 'authentication_error', 'invalid x-api-key')],
    ['gemini', gemini(400, 'API key not valid. Please pass a valid API key.')],
    ['a proxy', openai(403, { message: 'Forbidden' })],
  ])('knows a wrong key of %s', (_provider, thrown) => {
    const error = providerError(thrown, asked);

    expect(error).toMatchObject({ name: 'ClientError', code: 'ClientError', kind: 'denied' });
    expect(error).toMatchObject({ details: { reason: 'wrong-key' } });
    expect(error.message).toMatch(/key/);
  });

  it.each([
    ['openai', openai(404, { message: 'The model `m-1` does not exist', code: 'model_not_found' })],
    ['anthropic', anthropic(404, 'not_found_error', 'model: m-1')],
    ['gemini', gemini(404, 'models/m-1 is not found for API version v1beta')],
  ])('knows an unknown model of %s, and names it', (_provider, thrown) => {
    const error = providerError(thrown, asked);

    expect(error).toMatchObject({ name: 'ClientError', details: { reason: 'unknown-model', status: 404 } });
    expect(error.message).toMatch(/m-1/);
    expect(error.message).toMatch(/\b(no|not)\b/);
  });

  it.each([
    ['openai', openai(400, { message: 'Too many tokens.', code: 'context_length_exceeded' })],
    [
      'vLLM',
      openai(400, {
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000",
      }),
    ],
    [
      'anthropic',
      anthropic(400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    ],
    ['anthropic, by bytes', anthropic(413, 'request_too_large', 'Request exceeds the maximum size')],
    ['gemini', gemini(400, 'The input token count (9) exceeds the maximum number of tokens allowed (8).')],
  ])('knows a request over the context limit of %s', (_provider, thrown) => {
    expect(providerError(thrown, asked)).toMatchObject({
      name: 'ClientError',
      kind: 'invalid',
      details: { reason: 'context-too-long' },
    });
  });

  it('keeps what is wrong with a request in the words of the provider', () => {
    const thrown = anthropic(400, 'invalid_request_error', 'max_tokens: must be positive');

    expect(providerError(thrown, asked)).toMatchObject({
      message: 'max_tokens: must be positive',
      details: { reason: 'request', status: 400 },
    });
  });

  it('says what an empty refusal was', () => {
    const error = providerError(openai(418, {}), asked);

    expect(error.message).toMatch(/418/);
  });

  it('tells nothing of a key: not in its message, its stack, its cause or its details', () => {
    const words = [
      'key sk-secret-1',
      'at https://u:pass-word@host/v1?key=other-secret&alt=sse',
      'Authorization: Bearer third-secret',
    ].join(' ');
    const cause = Object.assign(new Error(words), { request: { headers: { authorization: words } } });
    const thrown = new Error(words, { cause });

    const error = providerError(thrown, asked);

    const told = [error.message, error.stack, JSON.stringify(error), error.cause].join('\n');
    expect(told).toContain('alt=sse');
    expect(told).not.toMatch(/secret|pass-word/);
    expect(error.cause).toBeUndefined();
  });

  it('calls a garbled answer one that could not be read', () => {
    expect(providerError(new SyntaxError('Unexpected token < in JSON'), asked)).toMatchObject({
      name: 'ModelError',
      code: 'model.bad-answer',
      message: "The model's answer could not be read: Unexpected token < in JSON",
    });
  });

  it('takes no word of an answer that could not be read for a failure of the provider', () => {
    const own = new AdkError('unavailable', 'model.bad-answer', 'In no place: {"code":429}');

    expect(readFailure(own).status).toBeUndefined();
    expect(readFailure(own).words).toBe(own.message);
  });

  it('says what a failed connection was caused by', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });
    const thrown = new OpenAI.APIConnectionError({ cause: new TypeError('fetch failed', { cause }) });

    const error = providerError(thrown, asked);

    expect(error).toMatchObject({ kind: 'unavailable', details: { reason: 'connection' } });
    expect(error.message).toMatch(/could not be reached.*ECONNREFUSED/);
  });

  it('does not print a page of a proxy', () => {
    const thrown = gemini(502, `<html>${'x'.repeat(100_000)}</html>`);

    expect(providerError(thrown, asked).message.length).toBeLessThan(2_000);
  });
});

describe('isPassing', () => {
  const inStream = (type: string) => {
    const body = { type: 'error', error: { type, message: 'Overloaded' } };
    return new Anthropic.APIError(undefined, body, undefined, headers);
  };

  const advised = (status: number, advice: string) =>
    OpenAI.APIError.generate(status, {}, undefined, new Headers({ 'x-should-retry': advice }));

  it.each([
    ['a limit of openai', openai(429, { message: 'Slow down', code: 'rate_limit_exceeded' })],
    ['an overload of anthropic', anthropic(529, 'overloaded_error', 'Overloaded')],
    ['an overload in a stream', inStream('overloaded_error')],
    ['an outage of gemini', gemini(503, 'Overloaded.')],
    ['a silence', new ModelTimeout('idle', 1)],
    ['a lost connection', new OpenAI.APIConnectionError({ cause: new TypeError('fetch failed') })],
    ['a garbled answer', new SyntaxError('Unexpected end of JSON input')],
    ['what the provider says passes', advised(409, 'true')],
  ])('says yes to %s', (_what, thrown) => {
    expect(isPassing(readFailure(thrown))).toBe(true);
  });

  it.each([
    ['an empty account', openai(429, { message: 'You exceeded your quota', code: 'insufficient_quota' })],
    ['what the provider says does not pass', advised(500, 'false')],
    ['a wrong request', gemini(400, 'Bad.')],
    ['a wrong request in a stream', inStream('invalid_request_error')],
    ['a call that took too long in all', new ModelTimeout('total', 1)],
    ['a mistake of ours', new Error('oops')],
  ])('says no to %s', (_what, thrown) => {
    expect(isPassing(readFailure(thrown))).toBe(false);
  });
});
