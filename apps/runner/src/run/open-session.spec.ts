import { type Event, type EventPage, type ReadEvents } from '@skein/contracts';
import { createEvent } from '@skein/engine';
import { SessionRpc } from '@skein/session-client';
import { aHandover } from '../../test/builders';
import { openSession } from './open-session';
import { SessionCache } from './session-cache';

const invocationId = 'e-01890000-0000-7000-8000-000000000000';

function anEvent(seq: number): Event {
  return createEvent({ id: `event-${seq}`, invocationId, author: 'agent', timestamp: seq });
}

function stored(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_none, index) => ({
    seq: from + index,
    stepKey: `0/agent.0/model.${from + index}`,
    event: anEvent(from + index),
  }));
}

/** A log of 10 events that answers pages of 3. */
class FakeLog extends SessionRpc {
  readonly reads: number[] = [];

  constructor() {
    // The only verb used is overridden below.
    super(undefined as never);
  }

  override async events({ afterSeq, untilSeq = 10 }: ReadEvents): Promise<EventPage> {
    this.reads.push(afterSeq);
    return { sessionUid: 'uid', lastSeq: 10, events: stored(afterSeq + 1, Math.min(afterSeq + 3, untilSeq)) };
  }
}

const seqsOf = (events: readonly Event[]) => events.map(({ timestamp }) => timestamp);

describe('openSession', () => {
  it('asks nobody when cache and handover hold everything', async () => {
    const cache = new SessionCache(1_000_000);
    cache.put('uid', [1, 2, 3].map(anEvent));
    const log = new FakeLog();

    const { session } = await openSession(
      aHandover({ baseSeq: 5, lastSeq: 5, fromSeq: 3, events: stored(4, 5) }),
      cache,
      log,
    );

    expect(seqsOf(session.events)).toEqual([1, 2, 3, 4, 5]);
    expect(log.reads).toEqual([]);
  });

  it('pages what the handover leaves out, when the cache has forgotten the session', async () => {
    const log = new FakeLog();

    const { session } = await openSession(
      aHandover({ baseSeq: 10, lastSeq: 10, fromSeq: 10 }),
      new SessionCache(1_000_000),
      log,
    );

    expect(seqsOf(session.events)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(log.reads).toEqual([0, 3, 6, 9]);
  });

  it('keeps what an earlier owner stored of this segment apart from the history', async () => {
    const { session, stored: journal } = await openSession(
      aHandover({ baseSeq: 2, lastSeq: 4, events: stored(1, 4) }),
      new SessionCache(1_000_000),
      new FakeLog(),
    );

    expect(seqsOf(session.events)).toEqual([1, 2]);
    expect(journal.map(({ seq }) => seq)).toEqual([3, 4]);
  });

  it('merges the state of all scopes as it was when the segment began', async () => {
    const { session } = await openSession(
      aHandover({ sessionState: { mood: 'calm' }, appState: { model: 'x' }, userState: { name: 'Ada' } }),
      new SessionCache(1_000_000),
      new FakeLog(),
    );

    expect(session.state).toEqual({ mood: 'calm', 'app:model': 'x', 'user:name': 'Ada' });
  });
});
