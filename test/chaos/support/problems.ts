import { isAtRest, type Stored, type StoredEvent } from './database';
import { type Asked, type Effect } from './effects';
import { groupBy } from './group-by';
import { type Turn } from './turn';

/** No event lost, none twice, `seq` dense: each session's events are numbered 1 to `last_seq`. */
export function sequenceProblems({ sessions, events }: Stored): string[] {
  const bySession = groupBy(events, sessionOf);
  return sessions.flatMap((session) => {
    const seqs = (bySession.get(sessionOf({ app: session.app, sessionId: session.id })) ?? []).map(
      ({ seq }) => seq,
    );
    const isDense = seqs.length === session.lastSeq && seqs.every((seq, index) => seq === index + 1);
    return isDense
      ? []
      : [`session ${session.id} has last_seq ${session.lastSeq}, but events ${seqs.join(', ')}`];
  });
}

/**
 * One response to each call of an ended invocation; to a long-running call as many as were given; none of its tool to a
 * call that asked for leave when its invocation was cancelled.
 */
export function responseProblems({ events, invocations }: Stored): string[] {
  const ended = endedOf(invocations);
  const cancelled = new Set(invocations.filter(({ status }) => status === 'cancelled').map(({ id }) => id));
  return [...groupBy(events, sessionOf).values()].flatMap((log) => {
    const calls = log.flatMap((event) => callsIn(event).map((call) => ({ ...call, event })));
    const askedFor = new Set(log.flatMap(({ actions }) => Object.keys(actions.requestedToolConfirmations)));
    const responses = log.flatMap((event) =>
      responsesIn(event)
        // A call that asks for leave is answered so at first, and by its tool later.
        .filter(({ id }) => !(id in event.actions.requestedToolConfirmations))
        .map(({ id }) => ({ id, seq: event.seq })),
    );
    return calls
      .filter(({ id, event }) => !event.longRunningToolIds?.includes(id))
      .flatMap(({ id, name, event }) => {
        // Models repeat ids: a call's own response comes before the next call of its id.
        const nextSeq =
          calls.find((one) => one.id === id && one.event.seq > event.seq)?.event.seq ?? Infinity;
        const twins = calls.filter((one) => one.id === id && one.event === event).length;
        const own = responses.filter((one) => one.id === id && one.seq > event.seq && one.seq < nextSeq);
        const mayHaveNone =
          !ended.has(event.invocationId) || (cancelled.has(event.invocationId) && askedFor.has(id));
        const isRight = own.length === twins || (own.length === 0 && mayHaveNone);
        const what = `${event.sessionId}: call ${id} of ${name} at ${event.seq}`;
        return isRight ? [] : [`${what} has ${own.length} responses`];
      });
  });
}

/** Every call of an ended invocation was applied, with its response. */
export function callProblems({ calls, events, invocations }: Stored): string[] {
  const ended = endedOf(invocations);
  return calls.flatMap(({ dispatchId, callId, tool, status, appliedSeq, sessionId, invocationId }) => {
    const what = `call ${callId} of ${tool} (${dispatchId}) in ${sessionId}`;
    if (appliedSeq === null) {
      return ended.has(invocationId) ? [`${what} is ${status} and not applied, though its run ended`] : [];
    }
    const log = events.filter((one) => one.sessionId === sessionId);
    // The calls of an agent that runs as a tool are in no log.
    const isLogged = log.some((event) => callsIn(event).some(({ id }) => id === callId));
    const hasResponse = log.some(
      (event) => event.seq <= appliedSeq && responsesIn(event).some(({ id }) => id === callId),
    );
    return !isLogged || hasResponse
      ? []
      : [`${what} was applied at ${appliedSeq}, but until there is no response to it`];
  });
}

/** The counter in the state, what each `count` answered, and how many answers there are: the same number. */
export function counterProblems({ sessions, events }: Stored): string[] {
  const bySession = groupBy(events, sessionOf);
  return sessions
    .filter(({ app }) => app === 'errands')
    .flatMap(({ app, id, state }) => {
      const answers = (bySession.get(sessionOf({ app, sessionId: id })) ?? [])
        .flatMap(responsesIn)
        .filter(({ name, response }) => name === 'count' && response.n !== undefined)
        .map(({ response }) => response.n);
      const isRight = answers.every((n, index) => n === index + 1) && (state.n ?? 0) === answers.length;
      return isRight
        ? []
        : [`session ${id} counted ${answers.join(', ')} and has ${String(state.n)} in its state`];
    });
}

/** Nothing ran that was not stored before; nothing was stored that did not run; `pay` never began twice. */
export function effectProblems({ calls }: Stored, effects: readonly Effect[]): string[] {
  const known = new Set(calls.map(({ dispatchId }) => dispatchId));
  const problems = effects
    .filter(({ idempotencyKey }) => !known.has(idempotencyKey))
    .map(({ tool, idempotencyKey }) => `${tool} ran under ${idempotencyKey}, which no stored call has`);
  for (const [key, lines] of groupBy(effects, ({ idempotencyKey }) => idempotencyKey)) {
    const begun = lines.filter(({ phase }) => phase === 'begin').length;
    if (lines[0]?.tool === 'pay' && begun > 1)
      problems.push(`pay (${key}) may happen once, but began ${begun} times`);
  }
  return problems;
}

/** What a model answered and was stored is not asked again: an agent's ordinals in a session never go back. */
export function modelProblems(asked: readonly Asked[]): string[] {
  return neighbours(asked)
    .filter(([before, next]) => next.ordinal < before.ordinal)
    .map(
      ([before, next]) =>
        `${whoAsks(next)}: ${next.ordinal} was asked after ${before.ordinal}, by ${next.pid}`,
    );
}

/** Model calls that were asked twice; none but those in flight when their runner died. */
export function repeatProblems(asked: readonly Asked[], allowed = Infinity): string[] {
  const repeated = neighbours(asked).filter(([before, next]) => next.ordinal === before.ordinal);
  if (repeated.length <= allowed) return [];
  const asker = ({ pid, host, invocationId }: Asked): string => `${pid}@${host} for ${invocationId}`;
  const which = repeated
    .map(([before, next]) => `${whoAsks(next)}: ${next.ordinal} by ${asker(before)}, then by ${asker(next)}`)
    .join('; ');
  return [`${repeated.length} model calls were repeated, of at most ${allowed}: ${which}`];
}

/** Each request of an agent in a session, with the one before it. */
function neighbours(asked: readonly Asked[]): [Asked, Asked][] {
  return [...groupBy(asked, whoAsks).values()].flatMap((lines) =>
    lines.slice(1).map((line, index): [Asked, Asked] => [lines[index] ?? line, line]),
  );
}

function whoAsks({ app, sessionId, agent }: Asked): string {
  return `${app}/${sessionId}/${agent}`;
}

/** What a client read is what is stored: every event of its invocation's agents once, in order, with its number. */
export function streamProblems({ events, invocations }: Stored, turns: readonly Turn[]): string[] {
  const byInvocation = groupBy(events, ({ invocationId }) => invocationId);
  const ids = new Set(invocations.map(({ id }) => id));
  return turns.flatMap(({ invocationId, sessionId, streams }) => {
    if (invocationId === undefined) return [];
    if (!ids.has(invocationId))
      return [`invocation ${invocationId} of ${sessionId} was answered, but is not stored`];
    const stored = (byInvocation.get(invocationId) ?? []).filter(({ author }) => author !== 'user');
    const shown = streams.flatMap((one) => one.events.map(({ seq, id }) => `${seq}=${id}`));
    // A segment shows only what it stored itself, so the log may hold more before and after it.
    const first = stored.findIndex(({ seq, id }) => `${seq}=${id}` === shown[0]);
    const wanted = stored.slice(first, first + shown.length).map(({ seq, id }) => `${seq}=${id}`);
    const isRight = shown.length === 0 || (first >= 0 && shown.every((one, index) => one === wanted[index]));
    return isRight
      ? []
      : [`${sessionId}: a client read ${shown.join(' ')}, but stored is ${wanted.join(' ')}`];
  });
}

/** The ids of those nothing more is expected of. */
function endedOf(invocations: Stored['invocations']): ReadonlySet<string> {
  return new Set(invocations.filter((one) => isAtRest(one) && one.status !== 'waiting').map(({ id }) => id));
}

interface CallPart {
  readonly id: string;
  readonly name: string;
}

function callsIn({ content }: Pick<StoredEvent, 'content'>): CallPart[] {
  return (content?.parts ?? []).flatMap(({ functionCall }) =>
    functionCall ? { id: functionCall.id ?? '', name: functionCall.name ?? '' } : [],
  );
}

function responsesIn({ content }: Pick<StoredEvent, 'content'>) {
  return (content?.parts ?? []).flatMap(({ functionResponse }) =>
    functionResponse
      ? {
          id: functionResponse.id ?? '',
          name: functionResponse.name ?? '',
          response: functionResponse.response ?? {},
        }
      : [],
  );
}

function sessionOf({ app, sessionId }: { readonly app: string; readonly sessionId: string }): string {
  return `${app}/${sessionId}`;
}
