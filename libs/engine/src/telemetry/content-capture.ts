import { type Span } from '@opentelemetry/api';

/** What a backend would cut anyway, and most pay for by the byte. */
const MAX_CHARS = 32_768;
const NOTHING = '{}';

let isOn = false;

/**
 * Whether spans hold what was said: requests, answers, arguments and results. Off until a service turns it on: unlike
 * ADK's, our spans leave every process of a cluster.
 */
export function captureContent(on: boolean): void {
  isOn = on;
}

/** Sets an attribute to content as JSON, or to the empty object that ADK's UI reads in its place (B62). */
export function setContent(span: Span, name: string, content: () => unknown): void {
  if (span.isRecording()) span.setAttribute(name, isOn ? toJson(content()) : NOTHING);
}

/** ADK's UI expects them on every span it opens. */
export const NO_MODEL_CONTENT = {
  'gcp.vertex.agent.llm_request': NOTHING,
  'gcp.vertex.agent.llm_response': NOTHING,
};

function toJson(content: unknown): string {
  try {
    const json = JSON.stringify(content ?? {}, leaveOut);
    return json.length > MAX_CHARS ? `${json.slice(0, MAX_CHARS)}… (${json.length} characters)` : json;
  } catch {
    return '<not serializable>';
  }
}

/** Bytes are no text, and what a request is sent with (headers, keys) is no content. */
function leaveOut(key: string, value: unknown): unknown {
  return key === 'inlineData' || key === 'httpOptions' || key === 'abortSignal' ? undefined : value;
}
