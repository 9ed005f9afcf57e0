import { presentVariables } from '../config/present-variables';

const ON = new Set(['true', '1', 'span_only', 'span_and_event']);

/**
 * Whether the environment asks for what was said to be in spans: by ADK's name for it, or, where that is not set, by
 * OpenTelemetry's. ADK takes silence for yes; here it is no, because a collector is read by more people than a session.
 */
export function capturesContent(environment: NodeJS.ProcessEnv = process.env): boolean {
  const present = presentVariables(environment);
  const wish =
    present.ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS ??
    present.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT;
  return ON.has(wish?.toLowerCase() ?? '');
}
