import path from 'node:path';
import { parseArgs } from 'node:util';

export const usage = `Usage: npx jiti examples/subscriber/main.ts [options]

  --output DIR     where events and positions are kept (DATA_DIR/subscriber); of one subscriber alone
  --name NAME      its durable consumer (subscriber); another output needs another name
  --nats URL       NATS; without it that of the stack running on DATA_DIR (.skein)
  --gateway URL    the gateway, likewise
`;

/** A wrong command line: one sentence for whoever typed it. */
export class UsageError extends Error {}

export interface SubscriberOptions {
  readonly dataDir: string;
  readonly outputDir: string;
  readonly name: string;
  /** Undefined where the running stack says it. */
  readonly natsUrl: string | undefined;
  readonly gatewayUrl: string | undefined;
}

/** As the server allows for a durable consumer. */
const NAME = /^[\w-]{1,64}$/;

/** Undefined when only help was asked for. */
export function parseSubscriberArguments(
  args: readonly string[],
  { DATA_DIR: dataDirSet = '' }: NodeJS.ProcessEnv,
): SubscriberOptions | undefined {
  const { help, name, nats: natsUrl, gateway: gatewayUrl, output } = parse(args);
  if (help) return undefined;
  if (!NAME.test(name)) throw new UsageError(`--name ${name}: letters, digits, _ and -, at most 64`);
  for (const url of [natsUrl, gatewayUrl])
    if (url !== undefined && !URL.canParse(url)) throw new UsageError(`${url} is not a URL`);
  const dataDir = path.resolve(dataDirSet === '' ? '.skein' : dataDirSet);
  const outputDir = path.resolve(output ?? path.join(dataDir, 'subscriber'));
  return { dataDir, outputDir, name, natsUrl, gatewayUrl };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        output: { type: 'string' },
        name: { type: 'string', default: 'subscriber' },
        nats: { type: 'string' },
        gateway: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
