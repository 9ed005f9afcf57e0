import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { askGateway, type GatewayAddress, GatewayError } from './ask-gateway';
import { UsageError } from './usage-error';

/** What a command line asks of the gateway. */
interface Asked {
  readonly method: string;
  /** Below the gateway's URL. */
  readonly path: string;
  readonly url: string | undefined;
  readonly isJson: boolean;
}

interface Command {
  /** Undefined when only help was asked for. */
  readonly parse: (args: readonly string[]) => Asked | undefined;
  readonly describe: (answer: unknown) => string;
  readonly usage: string;
}

/** Asks the gateway what the command line says, and ends the process: 2 for a wrong command line, 1 for a refusal. */
export function runCommand(command: Command): void {
  ask(command).then(
    (code) => (process.exitCode = code),
    (error: unknown) => {
      process.stderr.write(
        error instanceof UsageError
          ? `${error.message}\n\n${command.usage}`
          : `skein: ${sentenceOf(error)}\n`,
      );
      process.exitCode = error instanceof UsageError ? 2 : 1;
    },
  );
}

async function ask({ parse, describe, usage }: Command): Promise<number> {
  const asked = parse(process.argv.slice(2));
  if (asked === undefined) {
    process.stdout.write(usage);
    return 0;
  }
  const { DATA_DIR: dataDir = '' } = process.env;
  const gateway =
    asked.url === undefined
      ? findGateway(dataDir === '' ? '.skein' : dataDir)
      : { url: asked.url, from: '--url' };
  const text = await askGateway(gateway, asked);
  process.stdout.write(asked.isJson ? `${text}\n` : describe(JSON.parse(text)));
  return 0;
}

function sentenceOf(error: unknown): string {
  return error instanceof GatewayError ? error.message : String(error);
}

/** The gateway of the stack that runs on the folder. */
function findGateway(dataDir: string): GatewayAddress {
  const file = path.resolve(dataDir, 'stack.json');
  try {
    const { url } = z.object({ url: z.url() }).parse(JSON.parse(readFileSync(file, 'utf8')));
    return { url, from: `of ${file}, DATA_DIR` };
  } catch (cause) {
    const start = 'start one with npm start, or name it with --url';
    throw new UsageError(`No stack is ready here (${file}): ${start}`, { cause });
  }
}
