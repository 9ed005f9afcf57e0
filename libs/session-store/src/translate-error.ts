import { AdkError } from '@skein/contracts';

/** What a failed statement means: the data was bad, trying again may help, or neither. */
export type Failure = 'data' | 'transient' | 'unknown';

/** Class 22 is bad data, 23 a broken constraint, 54 a limit such as nesting depth. */
const DATA_CLASSES = new Set(['22', '23', '54']);
/** Lost or refused connections, resources, an operator's intervention, a rolled back transaction. */
const TRANSIENT_CLASSES = new Set(['08', '53', '57', '40']);
/** A standby that is not primary yet answers this during a failover. */
const READ_ONLY = '25006';
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);

/** Sorts an error of the driver by its SQLSTATE, or, where the server never answered, by what the socket said. */
export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  if (code === READ_ONLY || SOCKET_CODES.has(code) || TRANSIENT_CLASSES.has(code.slice(0, 2)))
    return 'transient';
  if (DATA_CLASSES.has(code.slice(0, 2))) return 'data';
  return code === '' && isConnectionMessage(error) ? 'transient' : 'unknown';
}

const UNIQUE_VIOLATION = '23505';

/** Whether a statement failed because somebody stored a row of the same key first. */
export function isTaken(error: unknown): boolean {
  return codeOf(AdkError.isInstance(error) ? error.cause : error) === UNIQUE_VIOLATION;
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
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** pg gives these no code: a connection that ended in mid-query, and no free connection within the bound. */
function isConnectionMessage(error: unknown): boolean {
  return error instanceof Error && /connection|timeout/i.test(error.message);
}
