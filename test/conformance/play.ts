import { type Content, type Event, type Part, type Session } from '@skein/contracts';
import { getFunctionCalls } from '@skein/engine';
import { type CallAnswer, type ConformanceCase, type Step } from './case';
import { comparable, type Played, type PlayedTurn, type StreamedText } from './played';
import { type RunInput, type ShownRun, type Stage } from './stage';

/** Plays a case's steps one after the other; answers all that can be seen of them from outside. */
export async function play(played: ConformanceCase, stage: Stage): Promise<Played> {
  let sessions = 1;
  let sessionId = 's1';
  const turns: PlayedTurn[] = [];
  await stage.createSession(sessionId, played.state ?? {});
  for (const step of played.steps) {
    if ('newSession' in step) {
      sessions += 1;
      sessionId = `s${sessions}`;
      await stage.createSession(sessionId, step.newSession);
    } else if ('patch' in step) await stage.patch(sessionId, step.patch);
    else if ('addToMemory' in step) await stage.addToMemory(sessionId);
    else {
      const session = await stage.getSession(sessionId);
      if ('rewind' in step) await stage.rewind(sessionId, invocationOf(session, step.rewind));
      else turns.push(turnOf(await stage.run(sessionId, inputOf(step, session))));
    }
  }
  const { events: stored, state } = await stage.getSession(sessionId);
  return comparable({ turns, stored, state, asked: stage.asked() }, played);
}

type Turn = Extract<Step, { say: unknown } | { answer: unknown } | { resume: unknown }>;

function inputOf(step: Turn, session: Session): RunInput {
  if ('resume' in step) {
    const { resume, ...options } = step;
    return { ...options, invocationId: invocationOf(session, resume) };
  }
  if ('answer' in step) {
    const { answer, ...options } = step;
    return {
      ...options,
      newMessage: { role: 'user', parts: listOf(answer).map((one) => answerPart(one, session)) },
    };
  }
  const { say, ...options } = step;
  return { ...options, newMessage: typeof say === 'string' ? textMessage(say) : say };
}

function textMessage(text: string): Content {
  return { role: 'user', parts: [{ text }] };
}

function answerPart({ call, nth, response }: CallAnswer, { events }: Session): Part {
  const calls = events.flatMap(getFunctionCalls).filter(({ name }) => name === call);
  const found = nth === undefined ? calls.at(-1) : calls[nth];
  // A call that was never made has an id nobody knows.
  return { functionResponse: { id: found?.id ?? 'unknown', name: call, response } };
}

function invocationOf({ events }: Session, index: number): string {
  const ids = [...new Set(events.map(({ invocationId }) => invocationId))];
  return ids[index] ?? 'e-unknown';
}

function turnOf({ events, chunks, failed }: ShownRun): PlayedTurn {
  return {
    events,
    ...(chunks.length > 0 ? { streamed: joined(chunks) } : {}),
    ...(failed === undefined ? {} : { failed }),
  };
}

function joined(chunks: readonly Event[]): StreamedText[] {
  const ids = [...new Set(chunks.map(({ id }) => id))];
  return ids.map((id) => ({
    id,
    text: chunks
      .filter((chunk) => chunk.id === id)
      .flatMap(({ content }) =>
        (content?.parts ?? []).map(({ text, thought }) => (thought ? `(${text ?? ''})` : (text ?? ''))),
      )
      .join(''),
  }));
}

function listOf<T>(oneOrMany: T | readonly T[]): readonly T[] {
  // Array.isArray does not narrow readonly arrays.
  return Array.isArray(oneOrMany) ? (oneOrMany as readonly T[]) : [oneOrMany as T];
}
