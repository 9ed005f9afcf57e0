import { startEmbeddedNats } from './embedded-nats';
import { startEmbeddedPostgres } from './embedded-postgres';
import type { NatsAccess } from './nats-access';
import type { RunningProcess } from './guarded-process';
import type { ProcessLog } from './process-log';
import type { StackConfig } from './stack-config';
import type { SupervisedProcess } from './supervisor';

interface ServerOptions {
  readonly dataDir: string;
  readonly port: number | undefined;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
}

type StartServer = (options: ServerOptions) => Promise<RunningProcess & { readonly port: number }>;

/** What the servers say of themselves while all is well; a reader of the log looks for the agents' lines. */
const routine = /\[INF\]|Plaintext passwords detected|\bLOG: {2}|the database system is starting up/;

/** Postgres and NATS, each unless its URL is given. */
export function embeddedServers(
  config: StackConfig,
  log: ProcessLog,
  access: NatsAccess,
): readonly SupervisedProcess[] {
  return [
    ...(config.databaseUrl === undefined ? [server('postgres', startEmbeddedPostgres, config, log)] : []),
    ...(config.natsUrl === undefined
      ? [server('nats', (options) => startEmbeddedNats({ ...options, access }), config, log)]
      : []),
  ];
}

/** A restart takes the port of the first start again, so that clients find the server where they left it. */
function server(
  name: string,
  start: StartServer,
  { dataDir }: StackConfig,
  log: ProcessLog,
): SupervisedProcess {
  const sink = log.sinkFor(name);
  const onLine = (line: string): void => {
    if (!routine.test(line)) sink(line);
  };
  let port: number | undefined;
  return {
    name,
    app: name,
    start: async (signal) => {
      const started = await start({ dataDir, port, onLine, signal });
      port = started.port;
      sink(`ready on 127.0.0.1:${port} (pid ${started.pid})`);
      return started;
    },
  };
}
