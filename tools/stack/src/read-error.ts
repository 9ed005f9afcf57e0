import { types } from 'node:util';

/** The code of a system error, as ENOENT. Not by instanceof: under jest Node's own errors come from another realm. */
export function errorCode(error: unknown): string | undefined {
  return types.isNativeError(error) && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** What an error of unknown kind says. */
export function errorMessage(error: unknown): string {
  return types.isNativeError(error) ? error.message : String(error);
}
