import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ChatError } from './chat-error';

const stackFile = z.object({ url: z.string().optional() });

/** The URL of the stack that runs on the folder. */
export function findStack(dataDir: string): string {
  const file = path.resolve(dataDir, 'stack.json');
  const { url } = stackFile.parse(JSON.parse(read(file)));
  if (url === undefined)
    throw new ChatError(`The stack of ${dataDir} is still starting: try again once it is ready`);
  return url;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new ChatError(
      `No stack runs here (${file} cannot be read): start one with npm start, or name it with --url`,
      {
        cause,
      },
    );
  }
}
