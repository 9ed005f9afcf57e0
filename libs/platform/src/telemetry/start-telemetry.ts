import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { presentVariables } from '../config/present-variables';
import { withSecretFiles } from '../config/secret-files';
import { PROVIDER_KEYS, STORE_SECRETS } from '../config/secrets';
import { followWork } from '../logging/log-context';
import { concealFor } from './conceal';
import type * as OtelSdk from './otel-sdk';

let running: { shutdown(): Promise<void> } | undefined;

/** Spans are the least of what an ending process has to save; a collector that hangs gets no more than this. */
const FLUSH_MS = 3_000;

/**
 * Starts OpenTelemetry when the environment names an endpoint, else does nothing at all. Call it in main.ts between
 * the first import and the others: pg is instrumented while it is loaded, so what was loaded before is not seen.
 */
export function startTelemetry(serviceName: string, environment: NodeJS.ProcessEnv = process.env): void {
  const present = presentVariables(environment);
  const endpoint = present.OTEL_EXPORTER_OTLP_ENDPOINT ?? present.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (running || endpoint === undefined || present.OTEL_SDK_DISABLED === 'true') return;
  // The SDK takes 0.2 s and 20 MB to load; a process without an endpoint does not pay for it.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- not import(): pg must not be loaded before.
  const { startSdk } = require('./otel-sdk') as typeof OtelSdk;
  // It follows work too, for its spans.
  followWork();
  running = startSdk({
    serviceName: present.OTEL_SERVICE_NAME ?? serviceName,
    instanceId: `${present.SKEIN_PROCESS_NAME ?? serviceName}-${randomUUID().slice(0, 8)}`,
    // Also what comes in files; that one cannot be read is said by whoever needs it.
    conceal: concealFor(withSecretFiles(environment, [...STORE_SECRETS, ...PROVIDER_KEYS]).environment),
    trustsClients: present.TRUST_TRACEPARENT === 'true',
  });
}

/** Sends the spans still held. A collector that is away must not keep a process from its end. */
export async function stopTelemetry(): Promise<void> {
  const stopping = running;
  running = undefined;
  await Promise.race([
    stopping?.shutdown().catch(() => undefined),
    delay(FLUSH_MS, undefined, { ref: false }),
  ]);
}
