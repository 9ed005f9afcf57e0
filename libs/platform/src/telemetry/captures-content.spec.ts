import { capturesContent } from './captures-content';

const ADK = 'ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS';
const OTEL = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';

it.each([
  [{}, false],
  [{ [ADK]: 'true' }, true],
  [{ [ADK]: '1' }, true],
  [{ [ADK]: 'false' }, false],
  [{ [ADK]: '' }, false],
  [{ [OTEL]: 'true' }, true],
  [{ [OTEL]: 'SPAN_ONLY' }, true],
  [{ [OTEL]: 'SPAN_AND_EVENT' }, true],
  [{ [OTEL]: 'EVENT_ONLY' }, false],
  [{ [OTEL]: 'NO_CONTENT' }, false],
  [{ [ADK]: 'false', [OTEL]: 'true' }, false],
])('content is captured as asked for: %p', (environment, isOn) => {
  expect(capturesContent(environment)).toBe(isOn);
});
