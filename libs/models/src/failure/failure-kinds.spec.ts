import Anthropic from '@anthropic-ai/sdk';
import { ApiError } from '@google/genai';
import OpenAI from 'openai';
import { providerError } from './provider-error';
import { isOverload, isPassing, readFailure } from './read-failure';

const asked = { apiKey: 'sk-secret-1', model: 'm-1' };
const none = new Headers();

/** A failure of such a status without a word, or with this one, as each SDK throws it. */
const thrownBy = {
  openai: (status: number, message = '') =>
    OpenAI.APIError.generate(status, { error: { message } }, undefined, none),
  anthropic: (status: number, message = '') =>
    Anthropic.APIError.generate(status, { type: 'error', error: { message } }, undefined, none),
  gemini: (status: number, message = '') =>
    new ApiError({ status, message: JSON.stringify({ error: { code: status, message } }) }),
};

/** Of each status: its reason, its kind, and what follows: another request, or none; `hold`: nobody asks for a while. */
const KINDS: readonly [status: number, reason: string, kind: string, then: 'hold' | 'again' | 'end'][] = [
  [400, 'request', 'invalid', 'end'],
  [401, 'wrong-key', 'denied', 'end'],
  [402, 'quota', 'denied', 'end'],
  [403, 'wrong-key', 'denied', 'end'],
  [404, 'unknown-model', 'not_found', 'end'],
  [408, 'timeout', 'deadline', 'again'],
  [409, 'request', 'invalid', 'end'],
  [413, 'context-too-long', 'invalid', 'end'],
  [415, 'request', 'invalid', 'end'],
  [422, 'request', 'invalid', 'end'],
  [429, 'rate-limited', 'unavailable', 'hold'],
  [498, 'overloaded', 'unavailable', 'hold'],
  [499, 'connection', 'unavailable', 'again'],
  [500, 'server', 'unavailable', 'again'],
  [501, 'request', 'invalid', 'end'],
  [502, 'server', 'unavailable', 'again'],
  [503, 'overloaded', 'unavailable', 'hold'],
  [504, 'timeout', 'deadline', 'again'],
  [520, 'server', 'unavailable', 'again'],
  [521, 'server', 'unavailable', 'again'],
  [522, 'timeout', 'deadline', 'again'],
  [523, 'server', 'unavailable', 'again'],
  [524, 'timeout', 'deadline', 'again'],
  [529, 'overloaded', 'unavailable', 'hold'],
  [530, 'server', 'unavailable', 'again'],
];

function afterwards(thrown: unknown): 'hold' | 'again' | 'end' {
  const failure = readFailure(thrown);
  if (!isPassing(failure)) return 'end';
  return isOverload(failure) ? 'hold' : 'again';
}

describe.each(Object.entries(thrownBy))('a failed request, as %s throws it', (_sdk, thrown) => {
  it.each(KINDS)('of status %i is %s, of kind %s, and then: %s', (status, reason, kind, then) => {
    const error = providerError(thrown(status), asked);

    expect(error).toMatchObject({ kind, details: { reason, status } });
    expect(error.name).toBe(status < 500 ? 'ClientError' : 'ServerError');
    expect(error.message).toMatch(/\w/);
    expect(afterwards(thrown(status))).toBe(then);
  });
});

describe('an account that may spend no more', () => {
  const code = (status: number, body: object) =>
    OpenAI.APIError.generate(status, { error: body }, undefined, none);

  it.each([
    ['by its code', code(429, { message: 'You exceeded your current quota.', code: 'insufficient_quota' })],
    ['by its type', code(429, { message: 'Your account is not active.', type: 'billing_not_active' })],
    [
      'in a body that a proxy wrote',
      code(429, { message: 'RateLimitError: insufficient_quota', code: '429' }),
    ],
    ['by its status', code(402, { message: 'Insufficient Balance' })],
    ['of Anthropic', thrownBy.anthropic(400, 'Your credit balance is too low to access the Anthropic API.')],
    [
      'of Google',
      thrownBy.gemini(429, 'You exceeded your quota, please check your plan and billing details.'),
    ],
  ])('is told so, and not asked again: %s', (_how, thrown) => {
    expect(providerError(thrown, asked)).toMatchObject({ kind: 'denied', details: { reason: 'quota' } });
    expect(providerError(thrown, asked).message).toMatch(/quota|billing|credit|balance/i);
    expect(afterwards(thrown)).toBe('end');
  });

  it('is not that of a limit per minute, which Google tells in the same words and says when it is over', () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' }];
    const error = {
      code: 429,
      message: 'Quota exceeded, please check your plan and billing details.',
      details,
    };
    const thrown = new ApiError({ status: 429, message: JSON.stringify({ error }) });

    expect(providerError(thrown, asked)).toMatchObject({ details: { reason: 'rate-limited' } });
    expect(afterwards(thrown)).toBe('hold');
  });
});
