import { getEventListeners } from 'node:events';
import { CallSignal } from './call-signal';

const listenersOf = ({ signal }: AbortController): number => getEventListeners(signal, 'abort').length;

describe('the signal of a call', () => {
  it('is made when it is read, once, and until then nothing listens', () => {
    const round = new AbortController();
    const call = new CallSignal(round.signal);
    expect(listenersOf(round)).toBe(0);

    const { signal } = call;

    expect(call.signal).toBe(signal);
    expect(listenersOf(round)).toBe(1);
  });

  it('aborts with its round, for the same reason, also when that was before', () => {
    const round = new AbortController();
    const [early, late] = [new CallSignal(round.signal), new CallSignal(round.signal)];
    const { signal } = early;
    const reason = new Error('Enough.');

    round.abort(reason);

    expect(signal.reason).toBe(reason);
    expect(late.signal.reason).toBe(reason);
  });

  it('lets its round go when the call is over, also when it is read only then', () => {
    const round = new AbortController();
    const [read, unread] = [new CallSignal(round.signal), new CallSignal(round.signal)];
    const { signal } = read;

    read.end();
    unread.end();
    round.abort();

    expect(signal.aborted).toBe(false);
    expect(listenersOf(round)).toBe(0);
    expect(unread.signal.aborted).toBe(true);
  });
});
