import { AdkError, type ErrorKind } from '@skein/contracts';
import { asError } from '../error/describe-error';
import { cleanJson } from '../json/clean-json';

/** What of an error outlives its process. */
export interface KeptError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** Of an AdkError. */
  readonly kind?: ErrorKind;
}

export function keepError(thrown: unknown): KeptError {
  const error = asError(thrown);
  const { name, message } = error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const kind = AdkError.isInstance(error) ? { kind: error.kind } : {};
  // cleanJson keeps the shape of what it is given.
  return cleanJson({ name, message, ...code, ...kind }) as unknown as KeptError;
}

/**
 * The error as code sees it, in the first run and in each later one: what it was made of, not its class, which a later run
 * could not give it. `cause` is the first run's alone, for its log.
 */
export function restoreError({ name, message, code, kind }: KeptError, cause?: unknown): Error {
  if (kind !== undefined && code !== undefined) return new AdkError(kind, code, message, { cause });
  const error = new Error(message, cause === undefined ? undefined : { cause });
  Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
  return code === undefined ? error : Object.assign(error, { code });
}
