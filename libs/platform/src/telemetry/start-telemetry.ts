import { createRequire } from 'node:module';
import { presentVariables } from '../config/present-variables';
import type * as OtelSdk from './otel-sdk';

let running: { shutdown(): Promise<void> } | undefined;

/**
 * Starts OpenTelemetry when the environment names an endpoint, else does nothing at all. Call it in main.ts between
 * the first import and the others: pg is instrumented while it is loaded, so what was loaded before is not seen.
 */
export function startTelemetry(serviceName: string, environment: NodeJS.ProcessEnv = process.env): void {
  const present = presentVariables(environment);
  const endpoint = present.OTEL_EXPORTER_OTLP_ENDPOINT ?? present.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  if (running || endpoint === undefined || present.OTEL_SDK_DISABLED === 'true') return;
  // The SDK takes 0.2 s and 20 MB to load; a process without an endpoint does not pay for it.
  const { startSdk } = createRequire(__filename)('./otel-sdk') as typeof OtelSdk;
  running = startSdk(present.OTEL_SERVICE_NAME ?? serviceName);
}

/** Sends the spans still held. A collector that is away must not keep a process from its end. */
export async function stopTelemetry(): Promise<void> {
  const stopping = running;
  running = undefined;
  await stopping?.shutdown().catch(() => undefined); // Spans are the least of what an ending process has to save.
}
