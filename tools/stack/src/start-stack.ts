import { builtEntries, type AppEntries } from './app-entries';
import { appEnvironment, type SharedSettings } from './app-environment';
import { prepareDataDir, readOrCreateSecret, wipeDataDir } from './data-dir';
import { embeddedServers } from './embedded-servers';
import { choosePort } from './free-port';
import { listApps, untilGatewayReady } from './gateway-ready';
import { stackAccess } from './nats-access';
import { ProcessLog, type LogOutput } from './process-log';
import { runMigrations } from './run-migrations';
import { RunningStack } from './running-stack';
import type { StackConfig } from './stack-config';
import { StackFile } from './stack-file';
import { planApps } from './stack-processes';
import { startApp } from './start-app';
import { stopLeftovers } from './stop-leftovers';
import type { RestartLimits } from './restart-policy';
import { welcome } from './welcome';

export interface StackOptions {
  readonly config: StackConfig;
  readonly output: LogOutput;
  /** Aborted, the start ends what it began and rejects. */
  readonly signal: AbortSignal;
  /** Other programs in place of the built apps. */
  readonly entries?: AppEntries;
  readonly restartLimits?: RestartLimits;
}

/** Starts the whole stack and returns once a first turn can be served. When it throws, nothing of it runs any more. */
export async function startStack(options: StackOptions): Promise<RunningStack> {
  const { config } = options;
  prepareDataDir(config.dataDir);
  const stackFile = StackFile.claim(config.dataDir);
  const groups = planApps(config.runners, config.toolWorkers);
  const names = ['postgres', 'nats', 'migrate', 'stack', ...groups.flat().map(({ name }) => name)];
  const log = new ProcessLog(options.output, names);
  const stack = new RunningStack(stackFile, log, options.restartLimits);
  try {
    await bringUp(stack, stackFile, log, options);
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

async function bringUp(
  stack: RunningStack,
  stackFile: StackFile,
  log: ProcessLog,
  options: StackOptions,
): Promise<void> {
  const { config, signal } = options;
  const { dataDir, host } = config;
  const leftovers = await stopLeftovers(stackFile.previous);
  if (leftovers.length > 0)
    log.sinkFor('stack')(`ended what a killed stack left behind: ${leftovers.join(', ')}`);
  if (config.isFresh) wipeDataDir(dataDir);
  const port = await choosePort(config.port, host);

  const secret = readOrCreateSecret(dataDir);
  const natsAccess = stackAccess(secret, config.inherited);
  await stack.startGroup(embeddedServers(config, log, natsAccess), signal);
  const databaseUrl = config.databaseUrl ?? stack.urlOf('postgres') ?? '';
  const natsUrl = config.natsUrl ?? stack.urlOf('nats') ?? '';
  stackFile.update({
    ...{ databaseUrl, natsUrl },
    ...(config.natsUrl === undefined && { toolWorkerNatsUrl: natsAccess.urlOf(natsUrl, 'tool-worker') }),
  });
  const shared: SharedSettings = {
    ...{ ...config, databaseUrl, natsUrl, secret, port },
    ...(config.natsUrl === undefined && { natsAccess }),
    // Elsewhere others may be beside that of this stack.
    hasOneSessionService: config.databaseUrl === undefined,
  };

  const entries = options.entries ?? builtEntries();
  await runMigrations(
    entries.migrate,
    appEnvironment('session-svc', 'migrate', shared),
    log.sinkFor('migrate'),
    signal,
  );
  for (const group of planApps(config.runners, config.toolWorkers)) {
    await stack.startGroup(
      group.map(({ name, app }) => ({
        name,
        app,
        start: (stopping) => {
          const env = appEnvironment(app, name, shared);
          return startApp({ name, entry: entries[app], env, onLine: log.sinkFor(name) }, stopping);
        },
      })),
      signal,
    );
  }
  const url = stack.urlOf('gateway') ?? localUrl(host, port);
  await untilGatewayReady(url, signal);
  stackFile.update({ url });
  log.print(welcome(url, await listApps(url), chatOptions(config, url)));
}

/** A server on every address is reached from here by the loopback one. */
function localUrl(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  return `http://${isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The chat finds the stack through DATA_DIR; in another terminal it does not know that it was changed. */
function chatOptions({ inherited }: StackConfig, url: string): string {
  return inherited.DATA_DIR ? ` --url ${url}` : '';
}
