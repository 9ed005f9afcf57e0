/** What a client answered: the response itself, or the same as JSON text below `response` and nothing beside it. */
export function unwrapAnswer(response: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { response: text, ...others } = response;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return response;
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : response;
  } catch {
    // Not JSON: then it is what it is, and says nothing to who asked.
    return response;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
