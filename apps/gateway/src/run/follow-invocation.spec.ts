import { AdkError, runConfigSchema, type Submit } from '@skein/contracts';
import { aChunk, anEvent, FakeSessionSvc, INVOCATION } from '../../test/fake-session-svc';
import { collectShown } from '../../test/collect-shown';
import { followInvocation } from './follow-invocation';

const input: Submit = {
  appName: 'app',
  userId: 'user',
  sessionId: 's',
  runConfig: runConfigSchema.parse({}),
  onBusy: 'enqueue',
  autoCreateSession: false,
};

describe('followInvocation', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('shows events in the order of their seq and ends with the end frame', async () => {
    const { svc, shown, outcome } = await follow();

    svc.say();
    svc.say();
    svc.end();

    expect(await outcome).toEqual({ status: 'completed', error: undefined });
    expect(shown).toEqual(['event-1', 'event-2']);
    expect(verbs(svc)).toEqual(['submit']);
  });

  it('loses nothing that is published before the submit is answered', async () => {
    const svc = new FakeSessionSvc();
    svc.onSubmit = () => {
      svc.say();
      svc.end();
    };

    const { outcome, shown } = await follow(svc);

    await outcome;
    expect(shown).toEqual(['event-1']);
  });

  it('reads a gap from the store', async () => {
    const { svc, shown, outcome } = await follow();

    svc.store();
    svc.say();
    svc.say();
    svc.end();
    await jest.advanceTimersByTimeAsync(100);

    await outcome;
    expect(shown).toEqual(['event-1', 'event-2', 'event-3']);
  });

  it('reads a gap although chunks keep coming', async () => {
    const { svc, shown } = await follow();

    svc.store();
    for (let n = 0; n < 20; n++) {
      svc.feed.partial(aChunk({ id: 'event-2', n, afterSeq: 1 }));
      await jest.advanceTimersByTimeAsync(10);
    }

    expect(shown[0]).toBe('event-1');
    expect(shown.slice(1)).toEqual(Array.from({ length: 20 }, () => 'chunk event-2'));
  });

  it('shows an event once, however often it comes', async () => {
    const { svc, shown, outcome } = await follow();

    const first = svc.say();
    svc.publish(first);
    svc.say();
    svc.publish(first);
    svc.end();

    await outcome;
    expect(shown).toEqual(['event-1', 'event-2']);
  });

  it('passes over events of other invocations and of what was before it', async () => {
    const svc = new FakeSessionSvc();
    svc.store();
    const { shown, outcome } = await follow(svc);

    svc.publish({ seq: 1, event: anEvent({ id: 'event-1' }) });
    svc.say({ invocationId: 'e-other' });
    svc.say();
    svc.end();

    await outcome;
    expect(shown).toEqual(['event-3']);
  });

  it('holds a chunk until the event before it was shown', async () => {
    const { svc, shown, outcome } = await follow();

    svc.feed.partial(aChunk({ id: 'event-2', afterSeq: 1 }));
    const first = svc.store();
    await jest.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([]);
    svc.publish(first);
    await jest.advanceTimersByTimeAsync(0);
    svc.say();
    svc.end();

    await outcome;
    expect(shown).toEqual(['event-1', 'chunk event-2', 'event-2']);
  });

  it('drops a chunk that repeats, is late, or comes from a runner that lost the session', async () => {
    const { svc, shown, outcome } = await follow();

    svc.feed.partial(aChunk({ id: 'event-1', n: 0, epoch: 2 }));
    svc.feed.partial(aChunk({ id: 'event-1', n: 0, epoch: 2 }));
    svc.feed.partial(aChunk({ id: 'event-1', n: 1, epoch: 1 }));
    svc.say();
    svc.feed.partial(aChunk({ id: 'event-1', n: 2, epoch: 2 }));
    svc.end();

    await outcome;
    expect(shown).toEqual(['chunk event-1', 'event-1']);
  });

  it('voids the chunks of an open event when another runner takes over', async () => {
    const { svc, shown } = await follow();

    svc.feed.partial(aChunk({ id: 'event-1', n: 0, epoch: 1 }));
    svc.feed.partial(aChunk({ id: 'event-1', n: 0, epoch: 2 }));
    await jest.advanceTimersByTimeAsync(0);

    expect(shown).toEqual(['chunk event-1', 'reset event-1', 'chunk event-1']);
  });

  it('waits for the events that the end frame came before', async () => {
    const { svc, shown, outcome } = await follow();

    const last = svc.store();
    svc.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(shown).toEqual([]);
    svc.publish(last);

    await outcome;
    expect(shown).toEqual(['event-1']);
    expect(verbs(svc)).toEqual(['submit']);
  });

  it('reads the head after a second of silence, in pages, and ends when the run has', async () => {
    const { svc, shown, outcome } = await follow();
    svc.pageSize = 1;
    svc.store();
    svc.store();
    svc.state = { status: 'failed', error: { code: 'model.refused', message: 'no' } };

    await jest.advanceTimersByTimeAsync(999);
    expect(verbs(svc)).toEqual(['submit']);
    await jest.advanceTimersByTimeAsync(1);

    expect(await outcome).toEqual({ status: 'failed', error: { code: 'model.refused', message: 'no' } });
    expect(shown).toEqual(['event-1', 'event-2']);
    expect(verbs(svc)).toEqual(['submit', 'invocation', 'events', 'events']);
  });

  it('reads the head at once after a reconnect', async () => {
    const { svc, shown } = await follow();
    svc.store();

    svc.feed.emit({ kind: 'missed' });
    await jest.advanceTimersByTimeAsync(0);

    expect(shown).toEqual(['event-1']);
  });

  it('does not take the end of an earlier segment for its own', async () => {
    const svc = new FakeSessionSvc();
    svc.store();
    svc.segment = 1;
    const { shown, outcome } = await follow(svc);

    svc.feed.partial({
      kind: 'end',
      invocationId: INVOCATION,
      segment: 0,
      status: 'waiting',
      afterSeq: 1,
    });
    await jest.advanceTimersByTimeAsync(0);
    svc.say();
    svc.end();

    expect((await outcome).status).toBe('completed');
    expect(shown).toEqual(['event-2']);
  });

  it('shows nothing of the segment that still runs when its answer comes early', async () => {
    const svc = new FakeSessionSvc();
    svc.say();
    svc.segment = 1;
    const { shown, outcome } = await follow(svc);

    svc.segment = 0;
    svc.feed.partial(aChunk({ id: 'event-2', segment: 0, afterSeq: 1 }));
    svc.say();
    svc.end('waiting');
    svc.segment = 1;
    svc.feed.partial(aChunk({ id: 'event-3', segment: 1, epoch: 2, afterSeq: 2 }));
    svc.say();
    svc.end();

    expect((await outcome).status).toBe('completed');
    expect(shown).toEqual(['chunk event-3', 'event-3']);
  });

  it('shows nothing of a later segment when it reads one that is over', async () => {
    const svc = new FakeSessionSvc();
    svc.onSubmit = () => {
      svc.store();
      svc.segment = 1;
      svc.store();
      svc.state = { status: 'waiting', lastSeq: 1 };
    };
    const { shown, outcome } = await follow(svc);

    await jest.advanceTimersByTimeAsync(1000);

    expect((await outcome).status).toBe('waiting');
    expect(shown).toEqual(['event-1']);
    expect(svc.calls.find(({ verb }) => verb === 'invocation')?.input).toMatchObject({ segment: 0 });
  });

  it('goes on when the store was away for a while', async () => {
    const { svc, shown, outcome } = await follow();
    svc.failure = new AdkError('unavailable', 'rpc.unavailable', 'away');
    await jest.advanceTimersByTimeAsync(3000);

    svc.failure = undefined;
    svc.store();
    svc.state = { status: 'completed' };
    await jest.advanceTimersByTimeAsync(1000);

    await outcome;
    expect(shown).toEqual(['event-1']);
  });

  it('fails when the session is deleted under it', async () => {
    const { svc, outcome } = await follow();
    const failed = expect(outcome).rejects.toMatchObject({ code: 'session.deleted' });

    svc.sessionUid = 'uid-2';
    svc.store();
    await jest.advanceTimersByTimeAsync(1000);

    await failed;
  });

  it('reads from the store what a slow client let overflow, and keeps only a bounded part in memory', async () => {
    const { svc, shown, outcome } = await follow();

    for (let i = 0; i < 3000; i++) svc.say();
    svc.end();
    await jest.advanceTimersByTimeAsync(100);

    await outcome;
    expect(shown).toEqual(svc.log.map(({ event }) => event.id));
  });

  it('row 19: holds no more than 1 MiB for a client that does not read, and reads the rest from the store', async () => {
    const { svc, shown, outcome } = await follow();

    for (let i = 0; i < 5; i++) {
      const message = { ...svc.store(), sessionUid: svc.sessionUid };
      svc.feed.emit({ kind: 'event', message }, 512 * 1024);
    }
    svc.end();

    await outcome;
    expect(shown).toEqual(svc.log.map(({ event }) => event.id));
    expect(verbs(svc)).toEqual(['submit', 'invocation', 'events']);
  });

  it('shows a repeat what is stored above the last event it saw, without waiting for silence', async () => {
    const svc = new FakeSessionSvc();
    for (let i = 0; i < 3; i++) svc.store();
    svc.state = { status: 'completed' };

    const { shown, outcome } = await follow(svc, 2);

    expect(await outcome).toEqual({ status: 'completed', error: undefined });
    expect(shown).toEqual(['event-3']);
    await expect(follow(svc, 4)).rejects.toMatchObject({ code: 'stream.unknown-id' });
  });

  it('stops listening when it ends, when its client leaves, and when the submit fails', async () => {
    const ended = await follow();
    ended.svc.say();
    ended.svc.end();
    await ended.outcome;
    const left = await follow();
    const failed = expect(left.outcome).rejects.toThrow('left');
    left.leave.abort(new Error('left'));
    await failed;
    const refused = new FakeSessionSvc();
    refused.failure = new AdkError('not_found', 'session.not-found', 'Session not found');

    await expect(follow(refused)).rejects.toThrow('Session not found');

    expect([ended, left].map(({ svc }) => svc.feed.listeners)).toEqual([0, 0]);
    expect(refused.feed.listeners).toBe(0);
  });
});

async function follow(svc = new FakeSessionSvc(), lastSeen?: number) {
  const leave = new AbortController();
  const submit = lastSeen === undefined ? input : { ...input, isRepeat: true as const };
  const run = await followInvocation({ api: svc, feed: svc.feed }, submit, leave.signal, lastSeen);
  return { svc, ...collectShown(run.shown), leave };
}

function verbs(svc: FakeSessionSvc): string[] {
  return svc.calls.map(({ verb }) => verb);
}
