import { SourceError } from '../session-source';

const AWAY = 'went away while it was read';
const SILENT = 'is not reachable: it does not answer';

/** By SQLSTATE or socket code; `name` is without a password, and the driver's texts hold none. */
const MEANINGS: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password',
  '28000': 'refuses the user',
  '3D000': 'has no such database',
  '42501': 'does not let this user read the tables',
  '55P03': 'keeps a table locked, as during a migration: import when that is over',
  '53300': 'has no connection left for one more',
  '57P01': AWAY,
  '57P02': AWAY,
  '57P03': 'is starting or stopping, and takes no connection',
  ECONNRESET: AWAY,
  EPIPE: AWAY,
  ECONNREFUSED: 'is not reachable: nothing listens there',
  ENOTFOUND: 'is not reachable: there is no such host',
  EAI_AGAIN: 'is not reachable: its host name cannot be resolved now',
  EHOSTUNREACH: 'is not reachable: there is no way to that host',
  ENETUNREACH: 'is not reachable: there is no way to that host',
  ETIMEDOUT: SILENT,
};

/** What the driver gives no code. */
const MEANINGS_OF_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^Connection terminated unexpectedly|^Client has encountered a connection error/, AWAY],
  [/^timeout expired|due to connection timeout/, SILENT],
];

/** The driver's error in words for who named the source. What is one already stays. */
export function explainPostgresError(error: unknown, name: string): SourceError {
  if (error instanceof SourceError) return error;
  const { code = '', message = '' } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: string;
    readonly message?: string;
  };
  const meaning =
    MEANINGS[code] ??
    MEANINGS_OF_TEXTS.find(([text]) => text.test(message))?.[1] ??
    `failed: ${message === '' ? code : message}`;
  return new SourceError(`${name} ${meaning}.`, { cause: error });
}
