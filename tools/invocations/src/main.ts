import { findGateway, parseInvocationsArguments, usage, UsageError } from './arguments';
import { describeAnswer } from './describe';

/** Asks the gateway what the command line says; answers the exit code. */
async function main(): Promise<number> {
  const asked = parseInvocationsArguments(process.argv.slice(2));
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
  process.stdout.write(asked.isJson ? `${text}\n` : describeAnswer(JSON.parse(text)));
  return 0;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(
      error instanceof UsageError ? `${error.message}\n\n${usage}` : `skein: ${String(error)}\n`,
    );
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
