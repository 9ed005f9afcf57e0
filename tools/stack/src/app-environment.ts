import { type NatsAccess } from './nats-access';

export type AppName = 'session-svc' | 'runner' | 'tool-worker' | 'gateway';

export interface SharedSettings {
  readonly inherited: NodeJS.ProcessEnv;
  readonly dataDir: string;
  readonly agentsDir: string;
  readonly natsUrl: string;
  /** Who may do what on that server; without it, everybody everything. */
  readonly natsAccess?: NatsAccess | undefined;
  readonly databaseUrl: string;
  readonly secret: string;
  readonly host: string;
  readonly port: number;
}

/** What each app is told by the stack, or must not know; the same in a file would contradict it, or tell where to look. */
const notInherited = new Set([
  ...['DATABASE_URL', 'DATABASE_URL_FILE', 'SKEIN_SECRET', 'SKEIN_SECRET_FILE', 'NATS_URL_FILE'],
  ...['PORT', 'HOST'],
]);

/**
 * A gateway that passes large content leaves buffers behind as fast as it moves bytes; a small young generation has them
 * collected sooner (`npm run bench -- artifacts`). Smaller yet, it is full before a turn is over, and all that is made for one
 * grows old. What the environment says comes after it, and wins.
 */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=8';

/**
 * The environment of one process. Only session-svc learns where the database is and what signs tickets: a tool
 * that reads its environment must find neither.
 */
export function appEnvironment(
  app: AppName,
  processName: string,
  settings: SharedSettings,
): NodeJS.ProcessEnv {
  const inherited = Object.entries(settings.inherited).filter(([variable]) => !notInherited.has(variable));
  return {
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'pretty',
    ...Object.fromEntries(inherited),
    NATS_URL: settings.natsAccess?.urlOf(settings.natsUrl, app) ?? settings.natsUrl,
    DATA_DIR: settings.dataDir,
    AGENTS_DIR: settings.agentsDir,
    // One value cannot serve several processes on one machine: each takes a free port and reports it.
    HEALTH_PORT: '0',
    SKEIN_PROCESS_NAME: processName,
    ...(app === 'session-svc' && { DATABASE_URL: settings.databaseUrl, SKEIN_SECRET: settings.secret }),
    ...(app === 'gateway' && {
      HOST: settings.host,
      PORT: String(settings.port),
      NODE_OPTIONS: [SMALL_YOUNG_GENERATION, settings.inherited.NODE_OPTIONS ?? ''].join(' ').trim(),
    }),
  };
}
