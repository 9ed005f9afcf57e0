import { aChunk, FakeSessionSvc, INVOCATION, SESSION_UID } from '../../test/fake-session-svc';
import { collectShown } from '../../test/collect-shown';
import { followSession, reattach } from './reattach';

const key = { appName: 'app', userId: 'user', sessionId: 's' };

describe('a client that takes an invocation up again', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is shown what it missed from the store, then what comes', async () => {
    const svc = aRun(3);
    const { shown, outcome } = await attach(svc, 1);

    await jest.advanceTimersByTimeAsync(0);
    expect(shown).toEqual(['event-2', 'event-3']);
    svc.say();
    svc.end();
    await jest.advanceTimersByTimeAsync(0);

    expect(await outcome).toMatchObject({ status: 'completed' });
    expect(shown).toEqual(['event-2', 'event-3', 'event-4']);
  });

  it('is shown nothing twice of what comes while the store is read', async () => {
    const svc = aRun(1);
    const { events } = svc;
    svc.events = async (input) => {
      const page = await events.call(svc, input);
      // One event nobody hears of and one above it; then, while that gap is read, another.
      if (svc.log.length === 1) svc.store();
      if (svc.log.length < 4) svc.say();
      return page;
    };
    const { shown, outcome } = await attach(svc, undefined);

    await jest.advanceTimersByTimeAsync(60);
    svc.end();
    await jest.advanceTimersByTimeAsync(60);

    await outcome;
    expect(shown).toEqual(['event-1', 'event-2', 'event-3', 'event-4']);
  });

  it('ends at once when the invocation is at rest', async () => {
    const svc = aRun(2);
    svc.state = { status: 'waiting' };

    const { shown, outcome } = await attach(svc, 1);

    expect(await outcome).toMatchObject({ status: 'waiting' });
    expect(shown).toEqual(['event-2']);
  });

  it('goes on over the end of a segment after which another one begins', async () => {
    const svc = aRun(1);
    const { shown, outcome } = await attach(svc, undefined);
    await jest.advanceTimersByTimeAsync(0);

    svc.end('waiting');
    svc.state = { status: 'queued' };
    svc.segment = 1;
    await jest.advanceTimersByTimeAsync(0);
    svc.say();
    svc.end();
    await jest.advanceTimersByTimeAsync(0);

    expect(await outcome).toMatchObject({ status: 'completed' });
    expect(shown).toEqual(['event-1', 'event-2']);
  });

  it('is told that the chunks it may hold of an open event are void, once', async () => {
    const svc = aRun(1);
    const { shown } = await attach(svc, 1);
    await jest.advanceTimersByTimeAsync(0);

    svc.feed.partial(aChunk({ id: 'event-2', n: 4, afterSeq: 1 }));
    svc.feed.partial(aChunk({ id: 'event-2', n: 5, afterSeq: 1 }));
    svc.say();
    svc.feed.partial(aChunk({ id: 'event-3', n: 0, afterSeq: 2 }));
    await jest.advanceTimersByTimeAsync(0);

    expect(shown).toEqual(['reset event-2', 'chunk event-2', 'chunk event-2', 'event-2', 'chunk event-3']);
  });

  it('is refused an id the session has not reached', async () => {
    const svc = aRun(2);

    await expect(attach(svc, 3)).rejects.toMatchObject({
      code: 'stream.unknown-id',
      details: { lastSeq: 2 },
    });
    expect(svc.feed.listeners).toBe(0);
  });

  it('is told when the session is deleted meanwhile', async () => {
    const svc = aRun(1);
    const { outcome } = await attach(svc, 1);
    const failed = expect(outcome).rejects.toMatchObject({ code: 'session.deleted' });
    await jest.advanceTimersByTimeAsync(0);

    svc.sessionUid = 'uid-2';
    svc.store();
    await jest.advanceTimersByTimeAsync(1000);

    await failed;
  });
});

describe('a reader of a whole session', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is shown every event of every invocation, stored or to come', async () => {
    const svc = aRun(2);
    svc.store({ invocationId: 'e-other' });
    const { shown } = await follow(svc, 1);

    await jest.advanceTimersByTimeAsync(0);
    svc.end();
    svc.say({ invocationId: 'e-third' });
    svc.store();
    await jest.advanceTimersByTimeAsync(1000);

    expect(shown).toEqual(['event-2', 'event-3', 'event-4', 'event-5']);
  });

  it.each([
    ['deleted', (svc: FakeSessionSvc) => (svc.isDeleted = true)],
    ['made again under its id', (svc: FakeSessionSvc) => (svc.sessionUid = 'uid-2')],
  ])('is told when it is %s meanwhile', async (_, change) => {
    const svc = aRun(2);
    const { outcome } = await follow(svc, 1);
    const failed = expect(outcome).rejects.toMatchObject({ code: 'session.deleted' });
    await jest.advanceTimersByTimeAsync(0);

    change(svc);
    await jest.advanceTimersByTimeAsync(1000);

    await failed;
  });

  it('is refused another session than the one it read before', async () => {
    const svc = aRun(2);

    await expect(follow(svc, 1, SESSION_UID)).resolves.toBeDefined();
    await expect(follow(svc, 1, 'uid-0')).rejects.toMatchObject({ code: 'session.deleted' });
  });
});

/** A running invocation with so many events stored. */
function aRun(events: number): FakeSessionSvc {
  const svc = new FakeSessionSvc();
  for (let i = 0; i < events; i++) svc.store();
  return svc;
}

async function attach(svc: FakeSessionSvc, after: number | undefined) {
  const ports = { api: svc, feed: svc.feed };
  const signal = new AbortController().signal;
  return collectShown((await reattach(ports, { ...key, invocationId: INVOCATION }, after, signal)).shown);
}

async function follow(svc: FakeSessionSvc, after: number, sessionUid?: string) {
  const ports = { api: svc, feed: svc.feed };
  const signal = new AbortController().signal;
  return collectShown((await followSession(ports, key, { after, sessionUid }, signal)).shown);
}
