import { Random } from '../support/random';
import { type Effect } from './agents/_shared/note-effect';
import { checkEffects } from './check-effects';
import { checkLog } from './check-log';
import { type EventRow, type SessionRecord } from './session-record';
import { Targets } from './targets';

const answer = (seq: number, ordinal: number): EventRow => ({
  id: `event-${seq}`,
  seq,
  author: 'root',
  branch: null,
  content: null,
  actions: {},
  invocation_id: 'e-1',
  step_key: `0/root.0/model.${ordinal}`,
});

function aRecord(overrides: Partial<SessionRecord> = {}): SessionRecord {
  const events = [answer(1, 0), answer(2, 1)];
  const invocation = { id: 'e-1', status: 'completed', segment: 0, epoch: 1, attempt: 1, error: null };
  return { events, invocations: [invocation], state: {}, lastSeq: 2, ownerEpoch: 1, ...overrides };
}

const kindsOf = (record: SessionRecord): string[] => checkLog('s', record).map(({ kind }) => kind);

describe('checkLog', () => {
  it('finds nothing wrong with a log that is whole', () => {
    expect(kindsOf(aRecord())).toEqual([]);
  });

  it('finds a gap, a head without its event, and an invocation without an end', () => {
    const [, second = answer(2, 1)] = aRecord().events;

    expect(kindsOf(aRecord({ events: [second] }))).toEqual(['lost', 'lost']);
    expect(kindsOf(aRecord({ lastSeq: 3 }))).toEqual(['lost']);
    const [run] = aRecord().invocations;
    expect(kindsOf(aRecord({ invocations: run ? [{ ...run, status: 'running' }] : [] }))).toEqual(['lost']);
  });

  it('finds a call that was answered twice', () => {
    const functionResponse = { id: 'c', name: 'tool', response: {} };
    const response = (seq: number) => ({ ...answer(seq, 0), content: { parts: [{ functionResponse }] } });

    expect(kindsOf(aRecord({ events: [response(1), response(2)] }))).toEqual(['appliedTwice']);
  });
});

describe('checkEffects', () => {
  const ask = (at: number, ordinal = 0): Effect => ({
    phase: 'ask',
    agent: 'root',
    ordinal,
    invocationId: 'e-1',
    sessionId: 's',
    pid: 1,
    at,
  });
  const begin = (at: number, pid: number, sideEffect: 'idempotent' | 'once' = 'idempotent'): Effect => ({
    phase: 'begin',
    tool: 'tool',
    idempotencyKey: 'd-1',
    sideEffect,
    sessionId: 's',
    pid,
    at,
  });
  const times = { events: new Map([['event-1', 100]]), results: new Map([['d-1', 100]]) };
  const found = (effects: Effect[], ownerEpoch = 1, gone: number[] = []): string[] => {
    const sessions = [{ sessionId: 's', record: aRecord({ ownerEpoch }) }];
    return checkEffects(effects, sessions, times, new Set(gone)).map(({ kind }) => kind);
  };

  it('allows an answer to be asked for once more for each time the run changed hands', () => {
    expect(found([ask(1), ask(2)])).toEqual(['askedAgain']);
    expect(found([ask(1), ask(2)], 2)).toEqual([]);
  });

  it('finds an answer that was asked for though it was stored', () => {
    expect(found([ask(1), ask(101)], 2)).toEqual(['askedAgain']);
  });

  it('finds a call that began though its result was stored, unless its worker was gone', () => {
    expect(found([begin(1, 7), begin(101, 8)])).toEqual(['ranAgain']);
    expect(found([begin(1, 7), begin(101, 8)], 1, [7])).toEqual([]);
  });

  it('finds a call that must run once and began twice, whoever died', () => {
    expect(found([begin(1, 7, 'once'), begin(2, 8, 'once')], 1, [7])).toEqual(['ranAgain']);
  });
});

describe('Targets', () => {
  it('names each point once before any a second time, and the same ones for the same seed', () => {
    const order = (seed: number): (string | undefined)[] => {
      const targets = new Targets(new Random(seed));
      targets.reached('runner', { a: 1, b: 9, c: 4 }, 'work');
      return Array.from({ length: 3 }, () => {
        const point = targets.next('runner', ['work'])?.point;
        targets.hit(point ?? '');
        return point;
      });
    };

    expect(order(1)).toEqual(order(1));
    expect([...order(1)].sort()).toEqual(['a', 'b', 'c']);
  });
});
