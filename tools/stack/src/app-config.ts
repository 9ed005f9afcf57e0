import type { ConfigProblem } from '@skein/platform';
import type { z } from 'zod';
import { gatewayConfig } from '../../../apps/gateway/src/config';
import { runnerConfig } from '../../../apps/runner/src/config';
import { sessionServiceConfig } from '../../../apps/session-svc/src/config';
import { toolWorkerConfig } from '../../../apps/tool-worker/src/config';
import { appEnvironment, type AppName, type SharedSettings } from './app-environment';
import { readConfig } from './read-config';

const schemas: Readonly<Record<AppName, z.ZodType>> = {
  gateway: gatewayConfig,
  runner: runnerConfig,
  'session-svc': sessionServiceConfig,
  'tool-worker': toolWorkerConfig,
};

/** Stand in for what the stack itself makes at its start, and for what it checked before. */
const made = { dataDir: '/', agentsDir: '/', secret: 'made at the start', port: 0 };

/** What the apps would refuse of this environment, each in its own start: here all of it, before anything runs. */
export function appConfigProblems(env: NodeJS.ProcessEnv): readonly ConfigProblem[] {
  const settings: SharedSettings = {
    ...made,
    inherited: env,
    host: env.HOST ?? '',
    databaseUrl: env.DATABASE_URL ?? 'postgresql://127.0.0.1/skein',
    natsUrl: env.NATS_URL ?? '',
  };
  const apps = Object.keys(schemas) as AppName[];
  return apps.flatMap((app) => readConfig(schemas[app], appEnvironment(app, app, settings)).problems);
}
