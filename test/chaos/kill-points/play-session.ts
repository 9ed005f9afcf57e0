import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Event } from '@skein/contracts';
import { type Input, type Scenario } from './scenarios';

export interface PlayedSession {
  readonly scenario: Scenario;
  readonly app: string;
  readonly userId: string;
  readonly sessionId: string;
}

export interface PlayOptions {
  readonly url: () => string;
  /** What one input may take, restarts and all, before its invocation counts as lost. */
  readonly deadlineMs: number;
}

const RETRY_MS = 150;
/** The gateway's own bound of a `/run` is far above; a request whose answer was lost is asked again. */
const REQUEST_MS = 20_000;

/** Plays a scenario in a new session, as a client that asks again, under the same key, until it has its answer. */
export async function playSession(
  scenario: Scenario,
  sessionId: string,
  options: PlayOptions,
): Promise<PlayedSession> {
  const { app } = scenario;
  const session = { scenario, app, userId: `user-of-${sessionId}`, sessionId };
  const path = `/apps/${app}/users/${session.userId}/sessions/${sessionId}`;
  // 409: an attempt whose answer was lost has made it.
  await persist(options, path, { method: 'POST', body: {} }, [200, 409]);
  for (const input of scenario.inputs) {
    const body = {
      appName: app,
      userId: session.userId,
      sessionId,
      newMessage: await messageOf(input, path, options),
      ...(scenario.streaming ? { streaming: true } : {}),
    };
    await persist(options, '/run', { method: 'POST', body, key: randomUUID() }, [200]);
  }
  return session;
}

async function messageOf(input: Input, path: string, options: PlayOptions): Promise<object> {
  if ('say' in input) return { role: 'user', parts: [{ text: input.say }] };
  const { answer: name, response } = input;
  // A session as the gateway shows it.
  const { events } = (await persist(options, path, { method: 'GET' }, [200])) as { events: Event[] };
  const calls = events
    .flatMap(({ content }) => content?.parts ?? [])
    .flatMap((part) => part.functionCall ?? []);
  const call = calls.find((one) => one.name === name);
  if (!call) throw new Error(`nobody asked by ${name}`);
  return { role: 'user', parts: [{ functionResponse: { id: call.id, name, response } }] };
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly body?: object;
  readonly key?: string;
}

/** Asks until one of the statuses comes; what will not pass with time is thrown at once. */
async function persist(
  { url, deadlineMs }: PlayOptions,
  path: string,
  { method, body, key }: Request,
  accepted: readonly number[],
): Promise<unknown> {
  const deadline = performance.now() + deadlineMs;
  let last = 'nothing was asked';
  while (performance.now() < deadline) {
    try {
      const response = await fetch(url() + path, {
        method,
        signal: AbortSignal.timeout(REQUEST_MS),
        headers: { 'content-type': 'application/json', ...(key ? { 'Idempotency-Key': key } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      last = `${response.status} ${text.slice(0, 300)}`;
      if (accepted.includes(response.status)) return JSON.parse(text);
      // How the run itself ended stays so.
      const isFinal = text.includes('"code":"run.failed"');
      if (isFinal || (response.status < 500 && response.status !== 429))
        throw new Refused(`${method} ${path}: ${last}`);
    } catch (error) {
      if (error instanceof Refused) throw error;
      last = String(error);
    }
    await pause(RETRY_MS);
  }
  throw new Error(`${method} ${path} was not answered within ${deadlineMs} ms; last: ${last}`);
}

class Refused extends Error {}
