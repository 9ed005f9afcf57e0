import { types } from 'node:util';
import { AdkError } from '@skein/contracts';
import { ModelTimeout } from '../retry/retry-policy';
import { retryAfterMs } from './retry-after';
import { isRecord } from '../reading/is-record';

/** What a provider's SDK threw, whichever SDK it was. */
export interface Failure {
  readonly thrown: unknown;
  /** None: the request never got an answer, or its answer broke off. */
  readonly status: number | undefined;
  /** The error's own type and codes, as the provider spells them. */
  readonly codes: readonly string[];
  /** What the provider said, as a sentence where there is one. */
  readonly words: string;
  readonly details: readonly unknown[];
  header(name: string): string | null;
}

/** An error in the body of a response or in a stream: `{error: {…}}`, or what is inside. */
interface ErrorBody {
  readonly message?: unknown;
  readonly type?: unknown;
  readonly code?: unknown;
  readonly status?: unknown;
  readonly details?: unknown;
}

/** Errors in a stream come behind a status of 200: their type says what the status would have been. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  // https://platform.claude.com/docs/en/api/errors
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
  // https://platform.openai.com/docs/guides/error-codes
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  server_error: 500,
  // https://ai.google.dev/gemini-api/docs/troubleshooting
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/**
 * Reads an error by its shape: `status` and `headers` as openai and @anthropic-ai/sdk have them, a body in `error` or, as
 * @google/genai writes it, in the message. What the error leaves out is taken from the head of the response.
 */
export function readFailure(thrown: unknown, response?: Pick<Response, 'status' | 'headers'>): Failure {
  const error = isError(thrown) ? thrown : new Error(String(thrown));
  const body = bodyOf(error);
  const codes = [body?.code, body?.type, body?.status].flatMap((code) =>
    typeof code === 'string' || typeof code === 'number' ? String(code) : [],
  );
  const headers = 'headers' in error && error.headers instanceof Headers ? error.headers : response?.headers;
  return {
    thrown,
    status: statusOf(error, codes),
    codes,
    words: typeof body?.message === 'string' && body.message ? body.message : sentence(error),
    details: Array.isArray(body?.details) ? body.details : [],
    header: (name) => headers?.get(name) ?? null,
  };
}

/** Statuses below 500 of what passes: a request that came too slowly, too many of them, no capacity, one that a proxy gave up. */
const PASSING = [408, 429, 498, 499];
const OVERLOAD = [429, 498, 503, 529];
const NOT_IMPLEMENTED = 501;

/** Overload and outages pass; what is wrong with a request does not, and an empty account does not by waiting. */
export function isPassing(failure: Failure): boolean {
  if (failure.thrown instanceof ModelTimeout) return failure.thrown.reason !== 'total';
  if (isQuota(failure)) return false;
  if (failure.status === undefined) return isBrokenOff(failure.thrown);
  const advice = failure.header('x-should-retry');
  if (advice === 'true' || advice === 'false') return advice === 'true';
  return PASSING.includes(failure.status) || isOutage(failure);
}

/** The provider is there, and wants fewer requests; of an empty account more would be as many. */
export function isOverload(failure: Failure): boolean {
  return OVERLOAD.includes(failure.status ?? 0) && !isQuota(failure);
}

/** The provider failed, whatever it was asked. */
export function isOutage({ status = 0 }: Failure): boolean {
  return status >= 500 && status !== NOT_IMPLEMENTED;
}

/** What the account may spend is spent, or was never paid: it is not a matter of time. */
export function isQuota(failure: Failure): boolean {
  const { status, codes, words } = failure;
  if (status === undefined) return false;
  const said = [...codes, words].join('\n').toLowerCase();
  if (status === 402 || UNPAID.some((words) => said.includes(words))) return true;
  // Google says the same of a limit per minute, and then when to come again.
  return status === 429 && said.includes('billing') && retryAfterMs(failure) === undefined;
}

/** Codes and sentences of the providers and of proxies before them, in lower case. */
const UNPAID = [
  'insufficient_quota',
  'billing_error',
  'billing_not_active',
  'billing_hard_limit_reached',
  'credit balance is too low',
  'insufficient balance',
  'insufficient credits',
];

/** A connection that failed, an answer that ended before it was whole, or one that is no answer. */
export function isBrokenOff(thrown: unknown): boolean {
  const breaks = (cause: Error): boolean => isConnectionFailure(cause) || isOwn(cause, 'model.truncated');
  return isUnreadable(thrown) || causesOf(thrown).some(breaks);
}

export function isUnreadable(thrown: unknown): boolean {
  return causesOf(thrown).some((cause) => isOwn(cause, 'model.bad-answer') || cause.name === 'SyntaxError');
}

/** By its code: what reads an answer is in the engine too. */
function isOwn(error: Error, code: string): boolean {
  return AdkError.isInstance(error) && error.code === code;
}

/** The sockets' own codes, undici's, and fetch's two sentences. */
function isConnectionFailure(error: Error): boolean {
  const code = 'code' in error ? String(error.code) : '';
  if (/^(ECONN|EPIPE|ETIMEDOUT|EHOSTUN|ENETUN|ENOTFOUND|EAI_AGAIN|UND_ERR_)/.test(code)) return true;
  return error.name === 'TypeError' && ['fetch failed', 'terminated'].includes(error.message);
}

/** The error, and what it says it comes of. */
export function causesOf(thrown: unknown): Error[] {
  const causes: Error[] = [];
  // A cause may be its own cause.
  while (isError(thrown) && causes.length < 8) {
    causes.push(thrown);
    thrown = thrown.cause;
  }
  return causes;
}

/** Errors of Node's own fetch are of another realm than a test's. */
function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || types.isNativeError(thrown);
}

function statusOf(error: Error, codes: readonly string[]): number | undefined {
  const told = 'status' in error ? Number(error.status) : NaN;
  if (told >= 400) return told;
  const [known] = codes.flatMap((code) => STATUS_OF_TYPE[code] ?? (isStatus(code) ? Number(code) : []));
  return known;
}

function isStatus(code: string): boolean {
  return /^[45]\d\d$/.test(code);
}

function bodyOf(error: Error): ErrorBody | undefined {
  // A sentence of ours may quote what a model said.
  if (AdkError.isInstance(error)) return undefined;
  const told: unknown = 'error' in error ? error.error : parsed(error.message);
  // Google answers a streamed request that fails with a list of one.
  const body: unknown = Array.isArray(told) ? told[0] : told;
  if (!isRecord(body)) return undefined;
  return isRecord(body.error) ? body.error : body;
}

function parsed(message: string): unknown {
  const start = message.search(/[[{]/);
  if (start === -1) return undefined;
  try {
    return JSON.parse(message.slice(start)) as unknown;
  } catch {
    // No JSON: the message is a sentence already.
    return undefined;
  }
}

/** "fetch failed" alone tells nothing, what it was caused by does. */
function sentence(error: Error): string {
  const said = causesOf(error).map(({ message }) => message);
  return [...new Set(said)].filter((message) => message).join(': ');
}
