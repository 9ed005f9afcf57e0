import { type Event } from '@skein/contracts';
import { answers, asks, inTime, says, summary } from '@skein/testing';
import { compactableHistory } from './compactable-history';
import { type EventsCompactionConfig } from './events-compaction-config';
import { slidingWindow } from './sliding-window';

const config: EventsCompactionConfig = { compactionInterval: 2, overlapSize: 1 };

/** A message and its answer. */
function invocation(invocationId: string): Event[] {
  return [
    says('user', `${invocationId}?`, { invocationId }),
    says('me', `${invocationId}!`, { invocationId }),
  ];
}

/** What is summarised: texts, calls and responses by id; and for which time. */
function windowOf(events: Event[], more: Partial<EventsCompactionConfig> = {}) {
  const window = slidingWindow(compactableHistory(events, {}), { ...config, ...more });
  return window && { ...window, events: window.events.map(wordOf) };
}

function wordOf({ content }: Event): string | undefined {
  const part = content?.parts?.[0];
  return part?.text ?? part?.functionCall?.id ?? part?.functionResponse?.id;
}

describe('slidingWindow (B8, B52)', () => {
  it('takes the new invocations when there are enough of them', () => {
    const events = inTime(...invocation('a'), ...invocation('b'));

    expect(windowOf(events)).toEqual({
      events: ['a?', 'a!', 'b?', 'b!'],
      startTimestamp: 1,
      endTimestamp: 4,
    });
  });

  it('waits while there are too few', () => {
    const events = inTime(...invocation('a'), ...invocation('b'), summary('s', [1, 4]), ...invocation('c'));

    expect(windowOf(events)).toBeUndefined();
    expect(windowOf([])).toBeUndefined();
  });

  it('takes the invocations before the new ones once more, as many as the overlap says', () => {
    const events = inTime(
      ...invocation('a'),
      ...invocation('b'),
      summary('s', [1, 4]),
      ...invocation('c'),
      ...invocation('d'),
    );

    expect(windowOf(events)).toMatchObject({
      events: ['b?', 'b!', 'c?', 'c!', 'd?', 'd!'],
      startTimestamp: 3,
      endTimestamp: 9,
    });
    expect(windowOf(events, { overlapSize: 0 })?.events[0]).toBe('c?');
    expect(windowOf(events, { overlapSize: 9 })?.events[0]).toBe('a?');
  });

  it('counts an invocation again that went on after its summary, and takes its call with the response', () => {
    const events = inTime(
      asks('me', ['x'], { invocationId: 'a' }),
      ...invocation('b'),
      summary('s', [1, 3]),
      answers('user', { x: 1 }, { invocationId: 'a' }),
      ...invocation('c'),
    );

    expect(windowOf(events, { overlapSize: 0 })?.events).toEqual(['x', 'b?', 'b!', 'x', 'c?', 'c!']);
  });

  it('leaves out the newest invocation while it waits for a response', () => {
    const waiting = [
      says('user', 'c?', { invocationId: 'c' }),
      asks('me', ['x'], { invocationId: 'c' }),
      says('me', 'wait', { invocationId: 'c' }),
    ];

    expect(windowOf(inTime(...invocation('a'), ...waiting))).toBeUndefined();
    expect(windowOf(inTime(...invocation('a'), ...invocation('b'), ...waiting))?.events).toEqual([
      'a?',
      'a!',
      'b?',
      'b!',
    ]);
  });

  it('takes an invocation that its user left waiting', () => {
    const events = inTime(asks('me', ['x'], { invocationId: 'a' }), ...invocation('b'));

    expect(windowOf(events)?.events).toEqual(['x', 'b?', 'b!']);
  });

  it('does not take what was taken back (B1)', () => {
    const back = says('user', [], { invocationId: 'r', actions: { rewindBeforeInvocationId: 'b' } });
    const events = inTime(...invocation('a'), ...invocation('b'), back, ...invocation('c'));

    expect(windowOf(events)?.events).toEqual(['a?', 'a!', 'c?', 'c!']);
  });

  it('sees that events were logged after a summary although they share its last timestamp', () => {
    const same = (event: Event): Event => ({ ...event, timestamp: 7 });
    const events = [...invocation('a'), summary('s', [7, 7]), ...invocation('b'), ...invocation('c')].map(
      same,
    );

    // All of it, because a summary for second 7 replaces the one there is.
    expect(windowOf(events, { overlapSize: 0 })?.events).toEqual(['a?', 'a!', 'b?', 'b!', 'c?', 'c!']);
  });
});
