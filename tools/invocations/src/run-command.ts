import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
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
        error instanceof UsageError ? `${error.message}\n\n${command.usage}` : `skein: ${String(error)}\n`,
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
  const url = asked.url ?? findGateway(dataDir === '' ? '.skein' : dataDir);
  const response = await fetch(new URL(asked.path, url), { method: asked.method });
  const text = await response.text();
  if (!response.ok) {
    process.stderr.write(`The gateway answered ${response.status}: ${text}\n`);
    return 1;
  }
  process.stdout.write(asked.isJson ? `${text}\n` : describe(JSON.parse(text)));
  return 0;
}

/** The gateway of the stack that runs on the folder. */
function findGateway(dataDir: string): string {
  const file = path.resolve(dataDir, 'stack.json');
  try {
    return z.object({ url: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).url;
  } catch (cause) {
    const start = 'start one with npm start, or name it with --url';
    throw new UsageError(`No stack is ready here (${file}): ${start}`, { cause });
  }
}
