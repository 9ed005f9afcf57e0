import { type Event } from '@skein/contracts';
import { answers, asks, inTime, says, summary } from '@skein/testing';
import { compactableHistory } from './compactable-history';
import { type EventsCompactionConfig } from './events-compaction-config';
import { tokenThreshold } from './token-threshold';

const config: EventsCompactionConfig = {
  compactionInterval: 99,
  overlapSize: 0,
  tokenThreshold: 100,
  eventRetentionSize: 2,
};

function counted(text: string, promptTokenCount: number): Event {
  return { ...says('me', text), usageMetadata: { promptTokenCount } };
}

function dueOf(events: Event[], more: Partial<EventsCompactionConfig> = {}) {
  const due = tokenThreshold(compactableHistory(events, {}), { ...config, ...more });
  return due && { ...due, events: due.events.map(wordOf) };
}

function wordOf({ content }: Event): string | undefined {
  const part = content?.parts?.[0];
  return part?.text ?? part?.functionCall?.id ?? part?.functionResponse?.id;
}

describe('tokenThreshold (B8)', () => {
  it('takes all but the latest events once the model counted so many tokens', () => {
    const events = inTime(says('user', 'a'), says('me', 'b'), says('user', 'c'), counted('d', 100));

    expect(dueOf(events)).toEqual({ events: ['a', 'b'], startTimestamp: 1, endTimestamp: 2 });
  });

  it('takes nothing below the threshold, without one, or when there is no more than is to stay', () => {
    const events = inTime(says('user', 'a'), says('me', 'b'), counted('c', 99));
    const few = inTime(says('user', 'a'), counted('b', 100));

    expect(dueOf(events)).toBeUndefined();
    expect(
      dueOf(inTime(says('user', 'a'), says('me', 'b'), counted('c', 999)), {
        tokenThreshold: undefined,
        eventRetentionSize: undefined,
      }),
    ).toBeUndefined();
    expect(dueOf(few)).toBeUndefined();
  });

  it('takes everything when nothing is to stay', () => {
    const events = inTime(says('user', 'a'), counted('b', 100));

    expect(dueOf(events, { eventRetentionSize: 0 })?.events).toEqual(['a', 'b']);
  });

  it('guesses four characters a token where no model counted, calls and responses included', () => {
    const long = { id: 'x', name: 'f', args: { text: 'x'.repeat(400) } };
    const events = (call: typeof long) =>
      inTime(asks('me', [call]), answers('me', { x: 1 }), says('me', 'b'), says('me', 'c'));

    expect(dueOf(events(long))?.events).toEqual(['x', 'x']);
    expect(dueOf(events({ ...long, args: { text: '' } }))).toBeUndefined();
  });

  it('does not part a call from its response', () => {
    const events = inTime(says('user', 'a'), asks('me', ['x']), answers('me', { x: 1 }), counted('b', 100));

    expect(dueOf(events)?.events).toEqual(['a']);
  });

  it('leaves a call of this invocation that waits, and an older one that was left waiting not', () => {
    const old = [asks('me', ['old'], { invocationId: 'e-0' }), says('user', 'a')];
    const events = inTime(...old, asks('me', ['x']), says('me', 'wait'), counted('b', 100));

    expect(dueOf(events, { eventRetentionSize: 0 })?.events).toEqual(['old', 'a']);
  });

  it('opens with the summary so far, and stands for its time too', () => {
    const events = inTime(
      says('user', 'a'),
      says('me', 'b'),
      says('user', 'c'),
      summary('a and b', [1, 2]),
      says('me', 'd'),
      says('me', 'e'),
      counted('f', 100),
    );

    expect(dueOf(events)).toEqual({ events: ['a and b', 'c', 'd'], startTimestamp: 1, endTimestamp: 5 });
  });

  it('is not set off by a count from before the last summary, nor by what writing it cost', () => {
    const costly = { ...summary('s', [1, 1]), usageMetadata: { promptTokenCount: 999 } };
    const events = inTime(says('user', 'a'), counted('b', 100), costly, says('user', 'c'), says('me', 'd'));

    expect(dueOf(events, { eventRetentionSize: 1 })).toBeUndefined();
  });

  it('keeps events of one timestamp together', () => {
    const at = (timestamp: number, event: Event): Event => ({ ...event, timestamp });
    const events = [
      at(1, says('user', 'a')),
      at(2, says('me', 'b')),
      at(2, says('me', 'c')),
      at(3, counted('d', 100)),
    ];

    expect(dueOf(events)?.events).toEqual(['a']);
  });

  it('takes nothing for the time being when what is to stay is not younger than the summary so far', () => {
    const at = (timestamp: number, event: Event): Event => ({ ...event, timestamp });
    const events = [
      at(1, says('user', 'a')),
      at(5, says('me', 'b')),
      summary('s', [1, 5], { timestamp: 5 }),
      at(4, says('me', 'c')),
      at(5, says('me', 'd')),
      at(5, counted('e', 100)),
    ];

    expect(dueOf(events)).toBeUndefined();
  });
});
