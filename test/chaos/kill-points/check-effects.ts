import { groupBy } from '../support/group-by';
import { type Effect } from './agents/_shared/note-effect';
import { type Problem } from './check-log';
import { type SessionRecord } from './session-record';
import { type StoredTimes } from './stored-times';

export interface Checked {
  readonly sessionId: string;
  readonly record: SessionRecord;
}

type Ask = Extract<Effect, { phase: 'ask' }>;
type Run = Exclude<Effect, { phase: 'ask' }>;

/**
 * Nothing stored is asked for or run again: no model is asked for an answer whose event is stored, an answer is asked
 * for once more only for each time the run changed hands, no call is begun whose result is stored unless a worker died in
 * between or its tool only reads, and a call that must not run twice begins once.
 */
export function checkEffects(
  effects: readonly Effect[],
  sessions: readonly Checked[],
  times: StoredTimes,
  gone: ReadonlySet<number>,
): Problem[] {
  const bySession = groupBy(effects, ({ sessionId }) => sessionId);
  return sessions.flatMap(({ sessionId, record }) => {
    const own = bySession.get(sessionId) ?? [];
    const asks = own.filter((effect) => effect.phase === 'ask');
    const begins = own.filter((effect) => effect.phase === 'begin') as Run[];
    return [
      ...[...checkAsks(asks, record, times)].map((what) => ({
        kind: 'askedAgain' as const,
        sessionId,
        what,
      })),
      ...[...checkBegins(begins, times, gone)].map((what) => ({
        kind: 'ranAgain' as const,
        sessionId,
        what,
      })),
    ];
  });
}

function* checkAsks(asks: readonly Ask[], record: SessionRecord, times: StoredTimes): Generator<string> {
  const handOvers = handOversOf(record);
  for (const [key, same] of groupBy(asks, (ask) => `${ask.invocationId} ${ask.agent} ${ask.ordinal}`)) {
    if (same.length - 1 > handOvers) {
      yield `${key} was asked for ${same.length} times in ${handOvers} hand-overs`;
    }
    const [ask] = same;
    const answer = ask && answersOf(ask.agent, record)[ask.ordinal];
    const storedAt = answer && times.events.get(answer.id);
    const late = same.filter(({ at }) => storedAt !== undefined && at > storedAt);
    for (const { at, pid } of late)
      yield `${key} was asked for by ${pid} ${at - (storedAt ?? 0)} ms after it was stored`;
  }
}

function* checkBegins(
  begins: readonly Run[],
  times: StoredTimes,
  gone: ReadonlySet<number>,
): Generator<string> {
  for (const [key, same] of groupBy(begins, ({ idempotencyKey }) => idempotencyKey)) {
    const [first] = same;
    if (first?.sideEffect === 'once' && same.length > 1)
      yield `${first.tool} ${key} began ${same.length} times`;
    const storedAt = times.results.get(key);
    // Its first message may be taken before the call is stored, and the stored call is sent all the same (ADR 39): once more is the rule.
    let excused = first?.readOnly === true ? 1 : 0;
    for (const [index, { tool, at, pid }] of same.entries()) {
      // A worker that died between its result and its ack leaves a message that comes again: at least once is the rule.
      const isRedelivered = same.slice(0, index).some((earlier) => gone.has(earlier.pid));
      if (storedAt !== undefined && at > storedAt && !isRedelivered && excused-- <= 0) {
        yield `${tool} ${key} began in ${pid} ${at - storedAt} ms after its result was stored`;
      }
    }
  }
}

/** Claims beyond the one that each segment needs. */
function handOversOf({ invocations, ownerEpoch }: SessionRecord): number {
  return ownerEpoch - invocations.reduce((sum, { segment }) => sum + segment + 1, 0);
}

function answersOf(agent: string, { events }: SessionRecord): SessionRecord['events'] {
  return events.filter(({ author, step_key }) => author === agent && /\/model\.\d+$/.test(String(step_key)));
}
