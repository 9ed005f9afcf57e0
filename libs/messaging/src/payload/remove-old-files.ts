import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { isFileMissing } from './is-file-missing';

/** Removes the files of a folder that were last written before this moment. Another process may do the same meanwhile. */
export async function removeOldFiles(directory: string, beforeMs: number): Promise<void> {
  for (const name of (await ifThere(readdir(directory))) ?? []) {
    const file = path.join(directory, name);
    const found = await ifThere(stat(file));
    if (found?.isFile() && found.mtimeMs < beforeMs) await rm(file, { force: true });
  }
}

/** Nothing for what is not there: nobody stored anything yet, or another process was faster. */
async function ifThere<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}
