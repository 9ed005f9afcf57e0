import { ConfigError } from '@skein/platform';
import { checkStackConfig } from './check-stack-config';
import type { RunningStack } from './running-stack';
import { startStack } from './start-stack';
import { watchNpm } from './watch-npm';
import { errorMessage } from './read-error';

/** npm hands on the Ctrl-C we got ourselves: only a signal after this long is a second one. */
const impatientAfterMs = 1_000;

async function main(): Promise<number> {
  const stopping = new AbortController();
  const running: { stack?: RunningStack } = {};
  const config = await checkStackConfig(process.argv.slice(2));
  onStopSignal(stopping, () => running.stack?.kill());
  watchNpm(config.inherited, () => stopping.abort());
  try {
    running.stack = await startStack({ config, output: process.stdout, signal: stopping.signal });
  } catch (error) {
    if (stopping.signal.aborted) return 0;
    throw error;
  }
  const { stack } = running;
  const asked = new Promise<undefined>((resolve) => {
    stopping.signal.addEventListener('abort', () => resolve(undefined));
    if (stopping.signal.aborted) resolve(undefined);
  });
  const reason = await Promise.race([asked, stack.broken]);
  await stack.stop();
  if (reason === undefined) return 0;
  throw reason;
}

/** Every way a terminal or a supervisor ends a program, a closed log included; the second time means at once. */
function onStopSignal(stopping: AbortController, kill: () => void): void {
  let firstAtMs: number | undefined;
  const stop = (): void => {
    firstAtMs ??= performance.now();
    stopping.abort();
    if (performance.now() - firstAtMs > impatientAfterMs) kill();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  process.stdout.on('error', stop);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const message = errorMessage(error);
    console.error(`Skein ${error instanceof ConfigError ? 'cannot start' : 'stopped'}: ${message}`);
    process.exit(1);
  },
);
