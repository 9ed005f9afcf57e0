import { createRequire } from 'node:module';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { core, NodeSDK, resources } from '@opentelemetry/sdk-node';
import { boundedSpans } from './bounded-spans';
import { concealing } from './concealing-exporter';
import { type Conceal } from './conceal';
import { traceFetch } from './fetch-spans';
import { linkToClaimed, setTraceAside } from './incoming-trace';
import { StepIdGenerator } from './step-id-generator';

const HEALTH_PATH = /^\/(health|ready|metrics)(\?|$)/;

export interface SdkOptions {
  readonly serviceName: string;
  /** Tells one process of a service from another. */
  readonly instanceId: string;
  readonly conceal: Conceal;
  /** Whether a request joins the trace its client names, and heeds whether that is sampled. */
  readonly trustsClients: boolean;
}

/** The SDK with what we use of it: traces over OTLP as JSON. Sampler, batching and headers come from OTEL_*. */
export function startSdk(options: SdkOptions): { shutdown(): Promise<void> } {
  const { serviceName, instanceId, conceal, trustsClients } = options;
  const exporter = concealing(new OTLPTraceExporter(), conceal);
  const sdk = new NodeSDK({
    serviceName,
    resource: resources.resourceFromAttributes({ 'service.instance.id': instanceId }),
    // None, or the SDK would start exporters of its own for both.
    metricReaders: [],
    logRecordProcessors: [],
    spanProcessors: [boundedSpans(exporter, Number(process.env.OTEL_BSP_MAX_QUEUE_SIZE) || undefined)],
    idGenerator: new StepIdGenerator(),
    // Not baggage: whatever a client sent along would go on to every model and tool.
    textMapPropagator: new core.W3CTraceContextPropagator(),
    // Not the process detector: it puts the command line, with whatever secret it holds, on every span.
    resourceDetectors: [resources.envDetector],
    instrumentations: [
      new HttpInstrumentation({
        ignoreIncomingRequestHook: (request) => {
          if (!trustsClients) setTraceAside(request);
          return HEALTH_PATH.test(request.url ?? '');
        },
        requestHook: linkToClaimed,
        requireParentforOutgoingSpans: true,
      }),
      // Statements of sweepers and pools would each be a trace of their own; a connection that is there costs nothing.
      new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
    ],
  });
  sdk.start();
  traceFetch();
  // node:http is patched when it is required. Nest and express import it as ES modules, which no hook sees, so it is
  // required here; they use the same object.
  const load = createRequire(__filename);
  load('node:http');
  load('node:https');
  return sdk;
}
