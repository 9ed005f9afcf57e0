import { AdkError } from '@skein/contracts';

/** What a failed statement means: the data was bad, trying again may help, or neither. */
export type Failure = 'data' | 'transient' | 'unknown';

/** Class 22 is bad data, 23 a broken constraint, 54 a limit such as nesting depth. */
const DATA_CLASSES = new Set(['22', '23', '54']);
/** Lost or refused connections, resources, an operator's intervention, a rolled back transaction. */
const TRANSIENT_CLASSES = new Set(['08', '53', '57', '40']);
/**
 * A standby that is not primary yet answers the first during a failover; the others are a transaction whose connection
 * was closed for idling, and a disk that failed a read or write.
 */
const TRANSIENT_STATES = new Set(['25006', '25P03', '58030']);
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Serialization failure and deadlock. */
const ROLLED_BACK_STATES = new Set(['40001', '40P01']);

/** Sorts an error of the driver by its SQLSTATE, or, where the server never answered, by what the socket said. */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  if (TRANSIENT_STATES.has(code) || SOCKET_CODES.has(code) || TRANSIENT_CLASSES.has(code.slice(0, 2)))
    return 'transient';
  if (DATA_CLASSES.has(code.slice(0, 2))) return 'data';
  return code === '' && isConnectionMessage(error) ? 'transient' : 'unknown';
}

/** Whether the server undid all of it for others' sake, so that the same once more is no repetition. */
export function isRolledBack(error: unknown): boolean {
  return ROLLED_BACK_STATES.has(codeOf(AdkError.isInstance(error) ? error.cause : error));
}

/** A server that goes down, or has a connection to go, may have committed before it said so. */
const UNKNOWN_STATES = new Set(['57P01', '57P02', '08006', '08007', 'ECONNRESET', 'EPIPE']);

/** Whether a statement failed after it was sent, and before it was heard what became of it. */
export function isOutcomeUnknown(error: unknown): boolean {
  const cause = AdkError.isInstance(error) ? error.cause : error;
  const message = textField(cause, 'message');
  return (
    UNKNOWN_STATES.has(codeOf(cause)) ||
    message === 'Connection terminated unexpectedly' ||
    message === 'Query read timeout'
  );
}

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because somebody stored a row of the same key first. */
export function isTaken(error: unknown): boolean {
  return codeOf(AdkError.isInstance(error) ? error.cause : error) === UNIQUE_VIOLATION;
}

const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement waited for another transaction for as long as it was let. */
export function isLocked(error: unknown): boolean {
  return codeOf(AdkError.isInstance(error) ? error.cause : error) === LOCK_NOT_AVAILABLE;
}

/** Whether waiting may help at start: a server may yet come up or be migrated, a wrong password stays wrong. */
export function mayPass(error: unknown): boolean {
  return failureOf(error) === 'transient' || (AdkError.isInstance(error) && error.kind === 'unavailable');
}

/** The driver's error as the rest of the product knows errors; its text goes to the log by way of `cause`. */
export function translateError(error: unknown, what: string): AdkError {
  if (AdkError.isInstance(error)) return error;
  switch (failureOf(error)) {
    case 'data':
      return new AdkError('invalid', 'store.invalid', `The database refused ${what}.`, { cause: error });
    case 'transient':
      return new AdkError('unavailable', 'store.unavailable', 'The database is not available.', {
        cause: error,
        retryAfterMs: 1000,
      });
    case 'unknown':
      return new AdkError('internal', 'store.failed', `Storing ${what} failed.`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return textField(error, 'code');
}

/** pg gives these no code: a connection that ended in mid-query, and no free connection within the bound. */
function isConnectionMessage(error: unknown): boolean {
  return /connection|timeout/i.test(textField(error, 'message'));
}

/** By shape: an error of the socket may be of another realm, and then is no instance of our Error. */
function textField(error: unknown, field: 'code' | 'message'): string {
  if (typeof error !== 'object' || error === null) return '';
  const value = (error as Readonly<Record<string, unknown>>)[field];
  return typeof value === 'string' ? value : '';
}
