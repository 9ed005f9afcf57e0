import { createRequire } from 'node:module';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { NodeSDK, resources } from '@opentelemetry/sdk-node';

const HEALTH_PATH = /^\/(health|ready|metrics)(\?|$)/;

/** The SDK with what we use of it: traces over OTLP as JSON. Sampler, batching and headers come from OTEL_*. */
export function startSdk(serviceName: string): { shutdown(): Promise<void> } {
  const sdk = new NodeSDK({
    serviceName,
    // None, or the SDK would start exporters of its own for both.
    metricReaders: [],
    logRecordProcessors: [],
    traceExporter: new OTLPTraceExporter(),
    // Not the process detector: it puts the command line, with whatever secret it holds, on every span.
    resourceDetectors: [resources.envDetector],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: ({ url = '' }) => HEALTH_PATH.test(url),
        requireParentforOutgoingSpans: true,
      }),
      // Statements of sweepers and pools would each be a trace of their own.
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  });
  sdk.start();
  // node:http is patched when it is required. Nest and express import it as ES modules, which no hook sees, so it is
  // required here; they use the same object.
  const load = createRequire(__filename);
  load('node:http');
  load('node:https');
  return sdk;
}
