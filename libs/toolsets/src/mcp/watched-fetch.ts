import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AdkError } from '@skein/contracts';
import { isRefused, SessionLost } from './session-lost';
import { type BodyEnd, watchedBody } from './watched-body';

export interface FetchWatch {
  readonly maxMessageBytes: number;
  /** Whether a session exists whose loss a request can tell of. */
  readonly hasSession: () => boolean;
  readonly onLost: (reason: SessionLost) => void;
  /** A request could not be made at all. */
  readonly onFailed: (error: unknown) => void;
  /** The answer to the request with this id can still come, or cannot any more by this way. */
  readonly onRequest: (id: unknown) => void;
  readonly onAnswerEnded: (id: unknown, end: BodyEnd) => void;
  /** Of any stream, also of one that nothing was asked on: answers may come by it. */
  readonly onTooLarge: (error: AdkError) => void;
}

/** 404 is the protocol's word for a session that is gone; servers made of the SDK's example say 400. */
const NO_SUCH_SESSION = [400, 404];

/** A `fetch` that notices what the SDK's transports do not tell: a lost session, an answer that was cut. */
export function watchedFetch(fetch: FetchLike, watch: FetchWatch): FetchLike {
  return async (url, init = {}) => {
    const id = init.method === 'POST' ? idOf(init.body) : undefined;
    const hadSession = watch.hasSession();
    if (id !== undefined) watch.onRequest(id);
    const response = await fetch(url, init).catch((thrown: unknown) => {
      watch.onFailed(thrown);
      throw hadSession && isRefused(thrown) ? lost(watch, 'the server is not there', thrown) : thrown;
    });
    if (hadSession && isAboutSession(init) && NO_SUCH_SESSION.includes(response.status)) {
      await response.body?.cancel();
      throw lost(watch, `the server answered ${response.status} to a message of the session`);
    }
    if (!response.body) return response;
    const body = watchedBody(response.body, {
      maxMessageBytes: watch.maxMessageBytes,
      isEvents: response.headers.get('content-type')?.includes('text/event-stream') ?? false,
      onEnd: (end) => {
        if (isTooLarge(end.error)) watch.onTooLarge(end.error);
        else if (id !== undefined) watch.onAnswerEnded(id, end);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

/** A GET opens the stream for what the server says unasked, which it need not have; one that resumes is about an answer. */
function isAboutSession({ method, headers }: RequestInit): boolean {
  return method === 'POST' || (method !== 'DELETE' && new Headers(headers).has('last-event-id'));
}

function lost(watch: FetchWatch, message: string, cause?: unknown): SessionLost {
  const reason = new SessionLost(message, { cause });
  watch.onLost(reason);
  return reason;
}

/** The id of the request in a body as the SDK writes it; a notification and an answer have none that is waited for. */
function idOf(body: RequestInit['body']): unknown {
  if (typeof body !== 'string') return undefined;
  const message = JSON.parse(body) as { readonly id?: unknown; readonly method?: unknown };
  return message.method === undefined ? undefined : message.id;
}

function isTooLarge(error: unknown): error is AdkError {
  return AdkError.isInstance(error) && error.code === 'mcp.too-large';
}
