import { parseSubscriberArguments, usage, UsageError } from './arguments';
import { subscribe } from './subscribe';

/** Follows every session of a stack until SIGINT or SIGTERM; docs/how-to/subscribe.md explains it. */
async function main(): Promise<void> {
  const options = parseSubscriberArguments(process.argv.slice(2), process.env);
  if (options === undefined) {
    process.stdout.write(usage);
    return;
  }
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());
  await subscribe(options, ending.signal);
}

main().catch((error: unknown) => {
  process.stderr.write(
    error instanceof UsageError ? `${error.message}\n\n${usage}` : `subscriber: ${String(error)}\n`,
  );
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
