import { SourceError } from '../session-source';

/** By SQLSTATE or socket code; `name` is without a password, and the driver's texts hold none. */
const MEANINGS: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password',
  '28000': 'refuses the user',
  '3D000': 'has no such database',
  '42501': 'does not let this user read the tables',
  '55P03': 'keeps a table locked, as during a migration: import when that is over',
  ECONNREFUSED: 'is not reachable: nothing listens there',
  ENOTFOUND: 'is not reachable: there is no such host',
  EAI_AGAIN: 'is not reachable: its host name cannot be resolved now',
};

/** The driver's error in words for who named the source. What is one already stays. */
export function explainPostgresError(error: unknown, name: string): SourceError {
  if (error instanceof SourceError) return error;
  const { code = '', message = '' } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly code?: string;
    readonly message?: string;
  };
  const meaning = MEANINGS[code] ?? `failed: ${message === '' ? code : message}`;
  return new SourceError(`${name} ${meaning}.`, { cause: error });
}
