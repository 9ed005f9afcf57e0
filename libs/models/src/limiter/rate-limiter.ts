import { createHash } from 'node:crypto';

/** What shares a provider's limits: a model at an address. */
export interface Lane {
  readonly provider: string;
  /** None: the provider's own address. */
  readonly baseUrl: string | undefined;
  readonly model: string;
}

/** How a request ended, as far as the next ones are concerned. */
export type RequestEnd =
  | { readonly kind: 'answered' }
  /** The provider was there, and did not want this one. */
  | { readonly kind: 'refused' }
  /** It wants fewer requests, and may have said from when on. */
  | { readonly kind: 'overloaded'; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'failed' }
  /** Nobody waits for it any more. */
  | { readonly kind: 'abandoned' };

/** Leave for one request. */
export interface Permit {
  /** The provider began to answer. */
  accepted(): void;
  /** Has to be called, once. */
  end(end: RequestEnd): void;
}

export interface Wait {
  readonly signal: AbortSignal;
  /** A provider that is to be left alone for longer is not waited for. */
  readonly maxHoldMs: number;
}

/** Port to whoever decides how many requests a model is sent, and when none. */
export abstract class RateLimiter {
  /**
   * Waits for leave to make one request. Rejects with `model.held-back` when that would take longer than it may, and with
   * the reason of the signal.
   */
  abstract enter(lane: Lane, wait: Wait): Promise<Permit>;
}

/** A lane's name: an address may hold a password, and is of nobody's concern where it is told. */
export function laneName({ provider, baseUrl = '', model }: Lane): string {
  return createHash('sha256').update([provider, baseUrl, model].join('\n')).digest('base64url').slice(0, 22);
}
