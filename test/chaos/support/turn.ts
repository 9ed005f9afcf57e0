import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Content, type Event } from '@skein/contracts';
import { createParser } from 'eventsource-parser';

export interface TurnRequest {
  /** Asked anew for each try, so that a client may go to another gateway. */
  readonly url: () => string;
  readonly app: string;
  readonly user?: string;
  readonly sessionId: string;
  readonly message: string | Content;
  readonly stream: boolean;
  /** Until then the client asks again. */
  readonly deadlineMs?: number;
}

/** One connection's worth of frames. */
export interface SeenStream {
  readonly invocationId: string;
  readonly sessionId: string;
  /** The client asked for what comes after it; nothing on the first connection. */
  readonly afterSeq: number | undefined;
  /** Whole events with their `id:`, in the order they came. */
  readonly events: { readonly seq: number; readonly id: string }[];
  chunks: number;
  resets: number;
  /** Whether the server ended it; a connection that broke is not. */
  isEnded: boolean;
}

/** What a client knows of its turn at the end. */
export interface Turn {
  readonly sessionId: string;
  readonly idempotencyKey: string;
  readonly streams: SeenStream[];
  invocationId: string | undefined;
  /** Of the answer that ended it. */
  status: number | undefined;
  /**
   * Why it asked again, each time: a status, a connection that failed, or a stream that the server ended in order before the
   * run came to rest.
   */
  readonly refusals: (number | 'broken' | 'resumed')[];
  events: Event[];
  failure: string | undefined;
  tookMs: number;
}

/**
 * One turn as a patient client takes it: with an Idempotency-Key, asked again after a broken connection, a 503 or a 429,
 * a stream from behind the last event it has, until the run came to rest or the deadline passed.
 */
export async function takeTurn(request: TurnRequest): Promise<Turn> {
  const begunMs = performance.now();
  const turn: Turn = {
    sessionId: request.sessionId,
    idempotencyKey: randomUUID(),
    streams: [],
    invocationId: undefined,
    status: undefined,
    refusals: [],
    events: [],
    failure: undefined,
    tookMs: 0,
  };
  const deadline = begunMs + (request.deadlineMs ?? 60_000);
  for (;;) {
    const waitMs = await (request.stream ? stream(request, turn) : ask(request, turn)).catch(() => {
      turn.refusals.push('broken');
      return 100;
    });
    turn.tookMs = performance.now() - begunMs;
    if (waitMs === undefined) return turn;
    if (performance.now() + waitMs > deadline)
      throw new Error(`a turn was not taken: ${JSON.stringify(turn)}`);
    await pause(waitMs);
  }
}

/** Answers how long to wait before asking again; nothing when the turn is over. */
async function ask(request: TurnRequest, turn: Turn): Promise<number | undefined> {
  const response = await post('/run', request, turn);
  const body: unknown = await response.json();
  turn.invocationId = response.headers.get('x-invocation-id') ?? turn.invocationId;
  if (isForLater(response)) return refused(response, turn);
  turn.status = response.status;
  if (response.ok)
    turn.events = body as Event[]; // The wire's own shape; what is stored is compared elsewhere.
  else turn.failure = JSON.stringify(body);
  return undefined;
}

async function stream(request: TurnRequest, turn: Turn): Promise<number | undefined> {
  const response = await post('/run_sse', request, turn);
  if (isForLater(response)) return refused(response, turn);
  turn.status = response.status;
  turn.invocationId = response.headers.get('x-invocation-id') ?? turn.invocationId;
  if (!response.ok || !response.body) {
    turn.failure = await response.text();
    return undefined;
  }
  const { invocationId = '', sessionId } = turn;
  const seen: SeenStream = {
    invocationId,
    sessionId,
    afterSeq: lastSeenBy(turn),
    events: [],
    chunks: 0,
    resets: 0,
    isEnded: false,
  };
  turn.streams.push(seen);
  const retryMs = await readFrames(response.body, seen, turn);
  if (retryMs === undefined) {
    seen.isEnded = true;
    return undefined;
  }
  turn.refusals.push('resumed');
  return Math.min(retryMs, 200);
}

/** The highest `id:` a client has of its turn. */
function lastSeenBy({ streams }: Turn): number | undefined {
  return streams.flatMap(({ events }) => events.map(({ seq }) => seq)).at(-1);
}

/** Answers how long the server wants a client to wait, when it ended the stream before the run came to rest. */
async function readFrames(
  body: AsyncIterable<unknown>,
  seen: SeenStream,
  turn: Turn,
): Promise<number | undefined> {
  let retryMs: number | undefined;
  const parser = createParser({
    onRetry: (ms) => (retryMs = ms),
    onEvent: ({ id, data }) => {
      const frame = JSON.parse(data) as Event & { readonly error?: string; readonly reset?: string };
      if (frame.error !== undefined) turn.failure = frame.error;
      else if (frame.reset !== undefined) seen.resets += 1;
      else if (frame.partial) seen.chunks += 1;
      else {
        if (id !== undefined) seen.events.push({ seq: Number(id), id: frame.id });
        turn.events.push(frame);
      }
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of body) parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
  return retryMs;
}

/** With its Idempotency-Key a request may be made again also after a 504, which leaves open what became of it. */
function isForLater({ status }: Response): boolean {
  return [429, 503, 504].includes(status);
}

function refused(response: Response, turn: Turn): number {
  turn.refusals.push(response.status);
  // A test has less patience than a client that is told to come back in seconds.
  return Math.min(500, 1_000 * Number(response.headers.get('retry-after') ?? 1));
}

function post(path: string, request: TurnRequest, turn: Turn): Promise<Response> {
  const { app, user = 'ada', sessionId, message, stream: streaming } = request;
  const lastSeq = streaming ? lastSeenBy(turn) : undefined;
  return fetch(`${request.url()}${path}${streaming ? '?resume=1' : ''}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': turn.idempotencyKey,
      ...(lastSeq === undefined ? {} : { 'last-event-id': String(lastSeq) }),
    },
    body: JSON.stringify({
      appName: app,
      userId: user,
      sessionId,
      newMessage: typeof message === 'string' ? { role: 'user', parts: [{ text: message }] } : message,
      streaming,
      autoCreateSession: true,
    }),
    signal: AbortSignal.timeout(request.deadlineMs ?? 60_000),
  });
}
