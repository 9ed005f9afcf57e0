import { AdkError, type ErrorKind } from '@skein/contracts';
import { UnreadableAnswer } from '../reading/bad-answer';
import { ModelTimeout } from '../retry/retry-policy';
import {
  causesOf,
  type Failure,
  isBrokenOff,
  isOutage,
  isQuota,
  isUnreadable,
  readFailure,
} from './read-failure';
import { withoutKeys } from './without-keys';

/** Why a provider did not answer. */
export type ProviderReason =
  | 'wrong-key'
  | 'unknown-model'
  | 'context-too-long'
  | 'refused'
  | 'quota'
  | 'rate-limited'
  | 'overloaded'
  | 'timeout'
  | 'unreadable'
  | 'connection'
  | 'redirected'
  | 'request'
  | 'server'
  | 'other';

/** adk-python's class names: the code, and with it the event's errorCode, is this name (B23). */
export type ProviderErrorName = 'ClientError' | 'ServerError' | 'ModelError';

/** What went wrong with a provider, in its own words and without the key. Its code is its name, or `model.bad-answer`. */
export class ProviderError extends AdkError {
  constructor(
    name: ProviderErrorName,
    readonly reason: ProviderReason,
    message: string,
    readonly status?: number,
  ) {
    super(KINDS[reason], reason === 'unreadable' ? 'model.bad-answer' : name, message, {
      details: { reason, ...(status === undefined ? {} : { status }) },
    });
    this.name = name;
  }
}

const KINDS: Readonly<Record<ProviderReason, ErrorKind>> = {
  'wrong-key': 'denied',
  'unknown-model': 'not_found',
  'context-too-long': 'invalid',
  refused: 'denied',
  quota: 'denied',
  'rate-limited': 'unavailable',
  overloaded: 'unavailable',
  timeout: 'deadline',
  unreadable: 'unavailable',
  connection: 'unavailable',
  redirected: 'invalid',
  request: 'invalid',
  server: 'unavailable',
  other: 'internal',
};

/** Whose request it was: its key and what else it showed the provider are not to be told, its model is. */
export interface Asked {
  readonly apiKey: string;
  readonly secrets?: readonly string[];
  readonly model: string;
  /** The head of the last response, for what an SDK's error does not tell of it. */
  readonly response?: Pick<Response, 'status' | 'headers'> | undefined;
}

/**
 * A new error rather than a wrapped one: the SDK's own may hold the request, and with it the key, in its stack or its cause.
 * What is an AdkError already, or comes of one, is our own, and stays as it is but for keys and causes.
 */
export function providerError(thrown: unknown, { apiKey, secrets = [], model, response }: Asked): Error {
  const keys = [apiKey, ...secrets];
  const own = causesOf(thrown).find((cause) => AdkError.isInstance(cause));
  if (own && !(own instanceof UnreadableAnswer)) return ownError(own, keys);
  const failure = readFailure(thrown, response);
  const reason = reasonOf(failure);
  const said = withoutKeys(failure.words, keys).slice(0, MAX_WORDS);
  return new ProviderError(
    nameOf(failure),
    reason,
    clearly(reason, said, { model, failure }),
    failure.status,
  );
}

/** An error of ours may quote the provider, or be caused by what an SDK threw. */
function ownError(error: AdkError, keys: readonly string[]): AdkError {
  const message = withoutKeys(error.message, keys);
  if (message === error.message && error.cause === undefined) return error;
  const { kind, code, details, retryAfterMs } = error;
  if (error instanceof ProviderError)
    return new ProviderError(error.name as ProviderErrorName, error.reason, message, error.status);
  return new AdkError(kind, code, message, { details, retryAfterMs });
}

/** A proxy may answer with a page. */
const MAX_WORDS = 1_000;

function nameOf({ status = 0 }: Failure): ProviderErrorName {
  if (status >= 500) return 'ServerError';
  return status >= 400 ? 'ClientError' : 'ModelError';
}

/** The providers' sentences and codes for a request above the context limit; servers of one's own answer in OpenAI's. */
const TOO_LONG = [
  'context_length_exceeded',
  'exceed_context_size',
  'request_too_large',
  'ContextWindowExceeded',
  'maximum context length',
  'prompt is too long',
  'exceed context limit',
  'input token count',
  'exceeds the available context size',
];
const REFUSED = ['content_filter', 'content_policy_violation', 'content filtering policy', 'invalid_prompt'];
const WRONG_KEY = ['API_KEY_INVALID', 'API key not valid', 'invalid_api_key'];

/** What a status alone tells; of the other outages that the provider failed. */
const REASONS: Readonly<Record<number, ProviderReason>> = {
  408: 'timeout',
  429: 'rate-limited',
  // Groq: no capacity.
  498: 'overloaded',
  // A proxy, or the provider, gave up a request that nobody here did.
  499: 'connection',
  503: 'overloaded',
  504: 'timeout',
  // Cloudflare's: the server behind it did not answer in time.
  522: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

function reasonOf(failure: Failure): ProviderReason {
  const { status, thrown } = failure;
  if (thrown instanceof ModelTimeout) return 'timeout';
  if (status === undefined) {
    if (isUnreadable(thrown)) return 'unreadable';
    return isBrokenOff(thrown) ? 'connection' : 'other';
  }
  if (isQuota(failure)) return 'quota';
  const known = REASONS[status] ?? (isOutage(failure) ? 'server' : undefined);
  return known ?? reasonOfRefusal(failure, status);
}

function reasonOfRefusal(failure: Failure, status: number): ProviderReason {
  if (says(failure, WRONG_KEY)) return 'wrong-key';
  if (status === 404 || failure.codes.includes('model_not_found')) return 'unknown-model';
  if (status === 401 || status === 403) return 'wrong-key';
  if (status === 413 || says(failure, TOO_LONG)) return 'context-too-long';
  return says(failure, REFUSED) ? 'refused' : 'request';
}

function says({ codes, words, details }: Failure, sentences: readonly string[]): boolean {
  const said = [...codes, words, JSON.stringify(details)].join('\n').toLowerCase();
  return sentences.some((sentence) => said.includes(sentence.toLowerCase()));
}

/** The provider's words, led by a sentence of ours where they alone would not be understood. */
function clearly(
  reason: ProviderReason,
  said: string,
  { model, failure }: { readonly model: string; readonly failure: Failure },
): string {
  const lead = leadOf(reason, model);
  if (!lead || lead.isSaidBy.test(said)) return said || `The provider answered with ${failure.status}.`;
  return said ? `${lead.sentence}: ${said}` : `${lead.sentence}.`;
}

interface Lead {
  readonly sentence: string;
  readonly isSaidBy: RegExp;
}

const NEVER = /^$/;

function leadOf(reason: ProviderReason, model: string): Lead | undefined {
  const leads: Partial<Record<ProviderReason, Lead>> = {
    'wrong-key': { sentence: 'The provider does not accept the API key', isSaidBy: /\bkey\b/i },
    quota: {
      sentence: "The account's quota at the provider is spent",
      isSaidBy: /quota|billing|credit|balance|payment/i,
    },
    'unknown-model': {
      sentence: `The provider has no model "${model}"`,
      isSaidBy: /model.*\b(not|no|unknown)\b/i,
    },
    'context-too-long': {
      sentence: 'The request is longer than the model takes',
      isSaidBy: /context|too long|exceed/i,
    },
    unreadable: {
      sentence: "The model's answer could not be read",
      isSaidBy: /^The model's answer could not be read: /,
    },
    connection: {
      sentence: 'The provider could not be reached, or its answer broke off',
      isSaidBy: NEVER,
    },
  };
  return leads[reason];
}
