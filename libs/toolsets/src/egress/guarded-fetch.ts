import { AdkError } from '@skein/contracts';
import { type AllowList, allowListOf } from './allow-list';
import { boundedBody, tooLarge } from './bounded-body';
import { requestUrl, wayTo } from './check-url';
import { type Connections, connectionsWith, type Resolve, systemResolve } from './connections';
import { egressAllowed } from './egress-settings';
import { fetchError } from './fetch-error';
import { type OutgoingRequest, redirectedRequest } from './redirected-request';
import { type Timer, timerFor } from './request-timer';

export interface GuardedFetchOptions {
  /** Hosts, networks and origins that are open though they are private, beside `TOOL_EGRESS_ALLOW`. */
  readonly allow?: readonly string[];
  /** The most bytes of an answer, unpacked; 10 MiB when left out, Infinity for none. */
  readonly maxResponseBytes?: number;
  /** From the request to the last byte of its answer; 60 s when left out, Infinity for a stream that stays open. */
  readonly timeoutMs?: number;
  readonly maxRedirects?: number;
  /** How names become addresses; the system's way when left out. */
  readonly resolve?: Resolve;
}

/** `fetch`, as far as a tool needs it. */
export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

type Bounds = Required<Pick<GuardedFetchOptions, 'maxResponseBytes' | 'timeoutMs' | 'maxRedirects'>>;

interface Sender extends Bounds {
  readonly allow: () => AllowList;
  readonly connections: Connections;
}

/** What the connection says of itself; a request's own word would be for another server, or another length. */
const HOP_BY_HOP = ['connection', 'content-length', 'host', 'keep-alive', 'proxy-authorization', 'te'];
const NO_BODY = [204, 205, 304];

/**
 * A `fetch` that reaches the public internet and what is allowed, nothing else: each address is checked as it is
 * connected to, and again after each redirect. Rejects with an AdkError `egress.…`; a network that fails is of kind
 * `unavailable`, so that a tool is asked again.
 */
export function guardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  const { allow = [], maxResponseBytes = 10 * 1024 * 1024, timeoutMs = 60_000, maxRedirects = 5 } = options;
  allowListOf(allow);
  const allowNow = () => allowListOf([...allow, ...egressAllowed()]);
  const sender: Sender = {
    ...{ maxResponseBytes, timeoutMs, maxRedirects },
    allow: allowNow,
    connections: connectionsWith(options.resolve ?? systemResolve, allowNow),
  };
  return async (input, init) => {
    requestUrl(input instanceof Request ? input.url : String(input));
    const request = new Request(input, init);
    const timer = timerFor(timeoutMs, request.signal);
    try {
      return await send(sender, await outgoing(request), { timer, redirect: request.redirect });
    } catch (thrown) {
      timer.stop();
      throw timer.reasonFor(thrown);
    }
  };
}

async function outgoing(request: Request): Promise<OutgoingRequest> {
  const headers = new Headers(request.headers);
  for (const name of HOP_BY_HOP) headers.delete(name);
  return {
    url: requestUrl(request.url),
    method: request.method,
    headers,
    body: request.body ? new Uint8Array(await request.arrayBuffer()) : undefined,
  };
}

interface Manner {
  readonly timer: Timer;
  readonly redirect: Request['redirect'];
}

async function send(sender: Sender, first: OutgoingRequest, { timer, redirect }: Manner): Promise<Response> {
  let request = first;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await sendOnce(sender, request, timer);
    if (redirect === 'manual') return bounded(answer, { sender, timer, request, redirects });
    const next = redirectedRequest(request, answer.status, answer.headers.get('location'));
    if (!next) return bounded(answer, { sender, timer, request, redirects });
    await answer.body?.cancel();
    if (redirect === 'error' || redirects >= sender.maxRedirects) throw redirected(redirects);
    request = next;
  }
}

async function sendOnce(
  { allow, connections }: Sender,
  { url, method, headers, body }: OutgoingRequest,
  timer: Timer,
): Promise<Answer> {
  const dispatcher = await connections(wayTo(url, allow()));
  const { fetch } = await import('undici');
  try {
    const answer = await fetch(url, {
      ...{ method, dispatcher, signal: timer.signal, redirect: 'manual' },
      headers: [...headers],
      ...(body ? { body } : {}),
    });
    return answer;
  } catch (thrown) {
    timer.signal.throwIfAborted();
    throw fetchError(thrown, url.host);
  }
}

/** What is used of undici's own Response: of which class the runtime's is, depends on the types an author has. */
type Answer = Pick<Response, 'status' | 'statusText' | 'headers' | 'body'>;

interface Answered {
  readonly sender: Sender;
  readonly timer: Timer;
  readonly request: OutgoingRequest;
  readonly redirects: number;
}

/** The answer as a Response of this runtime, which its class tells, with a body that is bounded. */
async function bounded(
  answer: Answer,
  { sender: { maxResponseBytes }, timer, request, redirects }: Answered,
): Promise<Response> {
  const hasBody = answer.body !== null && request.method !== 'HEAD' && !NO_BODY.includes(answer.status);
  if (hasBody && Number(answer.headers.get('content-length')) > maxResponseBytes) {
    await answer.body.cancel();
    throw tooLarge(maxResponseBytes);
  }
  if (!hasBody) timer.stop();
  const errorOf = (thrown: unknown) =>
    timer.reasonFor(AdkError.isInstance(thrown) ? thrown : fetchError(thrown, request.url.host));
  const body = hasBody
    ? boundedBody(answer.body, { maxBytes: maxResponseBytes, errorOf, onEnd: () => timer.stop() })
    : null;
  const { status, statusText } = answer;
  const response = new Response(body, { status, statusText, headers: [...answer.headers] });
  return Object.defineProperties(response, {
    url: { value: request.url.href },
    redirected: { value: redirects > 0 },
  });
}

function redirected(times: number): AdkError {
  return new AdkError(
    'invalid',
    'egress.redirects',
    `The server redirects; ${times} redirects were followed.`,
  );
}
