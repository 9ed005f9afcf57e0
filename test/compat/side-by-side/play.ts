import { type Content } from '@google/genai';
import { getFunctionCalls, InMemoryRunner, type Session, StreamingMode } from '@google/adk';
import { type CompatCase, type Step } from './case';
import { type Asked, askedSoFar, beginScript } from './from-list';

const USER = { userId: 'ada' };

/** A turn as its caller sees it: what was yielded, and what was thrown. */
export interface PlayedTurn {
  readonly events: readonly unknown[];
  readonly thrown?: string;
}

/** What the session holds at the end, told by what was shown. */
interface StoredEvents {
  /** In the session, and not shown as they are there: the user's. */
  readonly besides: readonly unknown[];
  /** Shown whole, and not in the session as they were. */
  readonly withheld: readonly unknown[];
}

/** All that can be seen of a case: JSON. */
export interface Played {
  readonly turns: readonly PlayedTurn[];
  readonly stored: StoredEvents;
  readonly state: unknown;
  readonly asked: readonly Asked[];
}

type AgentFile = Pick<ConstructorParameters<typeof InMemoryRunner>[0], 'plugins'> & {
  readonly rootAgent: ConstructorParameters<typeof InMemoryRunner>[0]['agent'];
};

/** Plays a case with whatever library '@google/adk' names here. */
export async function play(one: CompatCase, { rootAgent, plugins }: AgentFile): Promise<Played> {
  const appName = 'compat';
  beginScript(one.answers);
  const runner = new InMemoryRunner({ appName, agent: rootAgent, plugins: plugins ?? [] });
  const { id: sessionId } = await runner.sessionService.createSession({
    ...USER,
    appName,
    ...(one.state ? { state: { ...one.state } } : {}),
  });
  const current = async (): Promise<Session> => {
    const session = await runner.sessionService.getSession({ ...USER, appName, sessionId });
    if (!session) throw new Error('The session is gone.');
    return session;
  };
  const turns: PlayedTurn[] = [];
  for (const step of one.steps) {
    if ('addToMemory' in step) await runner.memoryService?.addSessionToMemory(await current());
    else turns.push(await playTurn(runner, step, await current()));
  }
  const { events, state } = await current();
  return asJson({ turns, stored: storedBesides(events, turns), state, asked: askedSoFar() });
}

async function playTurn(
  runner: InMemoryRunner,
  step: Exclude<Step, { addToMemory: true }>,
  session: Session,
): Promise<PlayedTurn> {
  const { streaming = false, maxLlmCalls, stateDelta } = step;
  const events: unknown[] = [];
  try {
    const run = runner.runAsync({
      ...USER,
      sessionId: session.id,
      newMessage: messageOf(step, session),
      ...(stateDelta ? { stateDelta: { ...stateDelta } } : {}),
      runConfig: {
        streamingMode: streaming ? StreamingMode.SSE : StreamingMode.NONE,
        ...(maxLlmCalls === undefined ? {} : { maxLlmCalls }),
      },
    });
    for await (const event of run) events.push(asJson(event));
    return { events };
  } catch (error) {
    return { events, thrown: error instanceof Error ? error.message : String(error) };
  }
}

function messageOf(step: Exclude<Step, { addToMemory: true }>, { events }: Session): Content {
  if ('say' in step) {
    return typeof step.say === 'string' ? { role: 'user', parts: [{ text: step.say }] } : step.say;
  }
  const { call, response } = step.answer;
  const found = events.flatMap((event) => getFunctionCalls(event)).findLast(({ name }) => name === call);
  if (!found?.id) throw new Error(`Nothing called ${call}.`);
  return { role: 'user', parts: [{ functionResponse: { id: found.id, name: call, response } }] };
}

function storedBesides(events: readonly unknown[], turns: readonly PlayedTurn[]): StoredEvents {
  const stored = events.map((event) => JSON.stringify(event));
  const shown = turns.flatMap((turn) => turn.events);
  const texts = new Set(shown.map((event) => JSON.stringify(event)));
  return {
    besides: events.filter((_event, index) => !texts.has(stored[index] ?? '')),
    withheld: shown.filter((event) => !isPartial(event) && !stored.includes(JSON.stringify(event))),
  };
}

function isPartial(event: unknown): boolean {
  return (event as { readonly partial?: boolean }).partial === true;
}

function asJson<T>(value: T): T {
  // What travels and is stored is JSON; both libraries put undefined into their objects.
  return JSON.parse(JSON.stringify(value)) as T;
}
