/**
 * What the provider said, without the key. A new error rather than a wrapped one: the SDK's own may hold the request,
 * and with it the key, in its stack or its cause.
 */
export function providerError(thrown: unknown, apiKey: string): Error {
  const message = thrown instanceof Error ? messageOf(thrown) : String(thrown);
  const error = new Error(apiKey ? message.replaceAll(apiKey, '[key]') : message);
  error.name = nameOf(thrown);
  return error;
}

/** The SDK gives the response's whole body as its message; the sentence in it is what a reader needs. */
function messageOf(error: Error): string {
  try {
    const body = JSON.parse(error.message) as { error?: { message?: unknown } } | null;
    const message = body?.error?.message;
    return typeof message === 'string' ? message : error.message;
  } catch {
    // No JSON: the message is a sentence already. "fetch failed" alone tells nothing, its cause does.
    return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  }
}

/** adk-python's class names, since the name becomes the event's errorCode (B23). */
function nameOf(thrown: unknown): string {
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : NaN;
  if (status >= 500) return 'ServerError';
  return status >= 400 ? 'ClientError' : 'ModelError';
}
