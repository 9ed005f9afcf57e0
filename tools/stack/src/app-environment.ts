import path from 'node:path';
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
  /** Whether nobody starts another session-svc on this database. */
  readonly hasOneSessionService?: boolean;
}

/** What each app is told by the stack, or must not know; the same in a file would contradict it, or tell where to look. */
const notInherited = new Set([
  ...['DATABASE_URL', 'DATABASE_URL_FILE', 'SKEIN_SECRET', 'SKEIN_SECRET_FILE', 'NATS_URL_FILE'],
  ...['PORT', 'HOST'],
]);

/**
 * Megabytes of each half of the young generation. In V8's 16 a service that is busy collects before most of its turns are over: what they
 * hold is copied again and again, and much of it grows old (ADR 30). A gateway that passes large content keeps its buffers until then, so
 * it has less.
 */
const YOUNG_GENERATION_MB: Readonly<Record<AppName, number>> = {
  'session-svc': 64,
  runner: 64,
  'tool-worker': 64,
  gateway: 16,
};

/** What Node is told for an app, and behind it what the environment says. */
export function nodeOptions(app: AppName, inherited: NodeJS.ProcessEnv): string {
  const ours = `--max-semi-space-size=${YOUNG_GENERATION_MB[app]}`;
  return inherited.NODE_OPTIONS ? `${ours} ${inherited.NODE_OPTIONS}` : ours;
}

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
    // One for all of them: whoever can write there can write the agents themselves.
    AGENTS_CACHE_DIR: path.join(settings.dataDir, 'compiled-agents'),
    ...(app === 'session-svc' &&
      settings.hasOneSessionService && { GUESS_CLAIMS: 'true', HOLD_CALLS: 'true' }),
    ...Object.fromEntries(inherited),
    NATS_URL: settings.natsAccess?.urlOf(settings.natsUrl, app) ?? settings.natsUrl,
    DATA_DIR: settings.dataDir,
    AGENTS_DIR: settings.agentsDir,
    NODE_OPTIONS: nodeOptions(app, settings.inherited),
    // One value cannot serve several processes on one machine: each takes a free port and reports it.
    HEALTH_PORT: '0',
    SKEIN_PROCESS_NAME: processName,
    ...(app === 'session-svc' && { DATABASE_URL: settings.databaseUrl, SKEIN_SECRET: settings.secret }),
    ...(app === 'gateway' && { HOST: settings.host, PORT: String(settings.port) }),
  };
}
