import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type SubscriberOptions } from './arguments';

const stackFile = z.object({ url: z.string(), natsUrl: z.string() });

export interface Servers {
  readonly natsUrl: string;
  readonly gatewayUrl: string;
}

/** Where NATS and the gateway are now: a stack that was started again has other ports. */
export function findServers({ dataDir, natsUrl, gatewayUrl }: SubscriberOptions): Servers {
  if (natsUrl !== undefined && gatewayUrl !== undefined) return { natsUrl, gatewayUrl };
  const stack = readStackFile(path.join(dataDir, 'stack.json'));
  return { natsUrl: natsUrl ?? stack.natsUrl, gatewayUrl: gatewayUrl ?? stack.url };
}

function readStackFile(file: string): z.infer<typeof stackFile> {
  try {
    return stackFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`no stack is ready here (${file}); start one with npm start`, { cause });
  }
}
