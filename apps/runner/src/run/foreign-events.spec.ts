import { AdkError, type Event, type EventPage, type ReadEvents, type StoredEvent } from '@skein/contracts';
import { applyEvent } from '@skein/engine';
import { anEvent, aSession } from '@skein/testing';
import { aHandover, INVOCATION } from '../../test/builders';
import { ForeignEvents } from './foreign-events';

const setting = (stateDelta: Record<string, unknown>): Event => anEvent({ actions: { stateDelta } });
const own = (seq: number, event: Event): StoredEvent => {
  event.invocationId = INVOCATION;
  return { seq, stepKey: `0/step.${seq}`, event };
};
const foreign = (seq: number, event: Event): StoredEvent => ({ seq, event });

/** A session-svc that answers two events a page. */
function aStore(...log: StoredEvent[]) {
  const asked: ReadEvents[] = [];
  const events = async (range: ReadEvents): Promise<EventPage> => {
    asked.push(range);
    const until = range.untilSeq ?? log.length;
    const page = log.filter(({ seq }) => seq > range.afterSeq && seq <= until).slice(0, 2);
    return { sessionUid: 'uid', lastSeq: log.length, events: page };
  };
  return { log, asked, events };
}

describe('events that others write into a running session', () => {
  it('go into the log at the place the store has them, and their state into its state', async () => {
    const [one, two] = [setting({ a: 1 }), setting({ b: 1 })];
    const [patch, other] = [setting({ c: 1 }), setting({ d: 1 })];
    const rpc = aStore(own(1, one), foreign(2, patch), own(3, two), foreign(4, other));
    const session = aSession();
    const events = new ForeignEvents({ handover: aHandover(), session, stored: [], rpc });
    for (const event of [one, two]) applyEvent(session, event);

    await events.load(4);

    expect(session.events).toEqual([one, patch, two, other]);
    expect(session.state).toEqual({ a: 1, b: 1, c: 1, d: 1 });
  });

  it('are those of another invocation too: one that was cancelled while it waited for its turn', async () => {
    const [mine, ended] = [setting({ a: 1 }), anEvent({ errorCode: 'invocation.cancelled' })];
    const rpc = aStore(own(1, mine), { seq: 2, stepKey: '0/cancelled', event: ended });
    const session = aSession();
    const events = new ForeignEvents({ handover: aHandover(), session, stored: [], rpc });
    applyEvent(session, mine);

    await events.load(2);

    expect(session.events).toEqual([mine, ended]);
  });

  it('do not undo what the run set after them, as in the store', async () => {
    const [before, after] = [setting({ k: 'run, before', 'temp:t': 1 }), setting({ j: 'run, after' })];
    const patch = setting({ k: 'patch', j: 'patch' });
    const rpc = aStore(own(1, before), foreign(2, patch), own(3, after));
    const session = aSession();
    const events = new ForeignEvents({ handover: aHandover(), session, stored: [], rpc });
    for (const event of [before, after]) applyEvent(session, event);

    await events.load(3);

    expect(session.state).toMatchObject({ k: 'patch', j: 'run, after', 'temp:t': 1 });
  });

  it('are asked for once, however often and in whatever order they are heard of', async () => {
    const one = setting({});
    const rpc = aStore(own(1, one), foreign(2, setting({ a: 1 })), foreign(3, setting({ a: 2 })));
    const session = aSession();
    const events = new ForeignEvents({ handover: aHandover(), session, stored: [], rpc });
    applyEvent(session, one);

    await Promise.all([events.load(3), events.load(2), events.load(3)]);

    expect(rpc.asked.map(({ afterSeq }) => afterSeq)).toEqual([0, 2]);
    expect(session.events).toHaveLength(3);
    expect(session.state).toEqual({ a: 2 });
  });

  it('of a run that is taken over come in where the run comes past them again', async () => {
    const [one, two] = [setting({ k: 1 }), setting({ own: true })];
    const patch = setting({ k: 'patch' });
    const stored = [own(1, one), foreign(2, patch), own(3, two)];
    const session = aSession();
    const handover = aHandover({ lastSeq: 3 });
    const events = new ForeignEvents({ handover, session, stored, rpc: aStore(...stored) });

    events.settle();
    expect(session.events).toEqual([]);
    applyEvent(session, one);
    events.settle();
    expect(session.state).toEqual({ k: 'patch' });
    applyEvent(session, two);
    events.settle();

    expect(session.events).toEqual([one, patch, two]);
  });

  it('are read again after a failure', async () => {
    const rpc = aStore(foreign(1, setting({ a: 1 })));
    const session = aSession();
    let failures = 1;
    const events = new ForeignEvents({
      handover: aHandover(),
      session,
      stored: [],
      rpc: {
        events: async (range) => {
          if (failures-- > 0) throw new AdkError('deadline', 'rpc.timeout', 'late');
          return rpc.events(range);
        },
      },
    });

    await expect(events.load(1)).rejects.toMatchObject({ code: 'rpc.timeout' });
    await events.load(1);

    expect(session.state).toEqual({ a: 1 });
  });
});
