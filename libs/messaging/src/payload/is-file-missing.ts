import { isNativeError } from 'node:util/types';

/** Whether a file operation failed because there is no such file or folder. */
export function isFileMissing(error: unknown): boolean {
  // Not instanceof: under a test runner, Node's errors are of another realm.
  return isNativeError(error) && 'code' in error && error.code === 'ENOENT';
}
