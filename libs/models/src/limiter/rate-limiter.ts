import { createHash } from 'node:crypto';

/** What shares a provider's limits: the requests of one account for a model at an address. */
export interface Lane {
  readonly provider: string;
  /** None: the provider's own address. */
  readonly baseUrl: string | undefined;
  readonly model: string;
  /** Who asks, as `accountOf` tells it apart from others. */
  readonly account: string;
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
export function laneName({ provider, baseUrl = '', model, account }: Lane): string {
  return digest([provider, baseUrl, model, account]).slice(0, 22);
}

/**
 * Tells accounts apart by what they show the provider, the key first, without telling any of it: so little of the digest
 * that nobody who guesses a key can be sure of it.
 */
export function accountOf(...credentials: readonly string[]): string {
  return digest(credentials).slice(0, 6);
}

function digest(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
