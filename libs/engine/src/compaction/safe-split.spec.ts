import { type Event } from '@skein/contracts';
import { answers, asks, inTime, says } from '@skein/testing';
import fc from 'fast-check';
import { safeSplit } from './safe-split';

function texts(...timestamps: number[]): Event[] {
  return timestamps.map((timestamp) => says('user', 'x', { timestamp }));
}

describe('safeSplit', () => {
  it('parts where it is asked to when nothing stands against it', () => {
    expect(safeSplit(texts(1, 2, 3), 2)).toBe(2);
    expect(safeSplit(texts(1, 2, 3), 9)).toBe(3);
    expect(safeSplit(texts(1, 2, 3), -1)).toBe(0);
  });

  it('does not part a call from its responses, late ones too', () => {
    const events = inTime(
      says('user', 'x'),
      asks('me', ['a']),
      answers('me', { a: 'pending' }),
      says('me', 'wait'),
      answers('user', { a: 'done' }),
      says('me', 'ok'),
    );

    expect([1, 2, 3, 4, 5, 6].map((at) => safeSplit(events, at))).toEqual([1, 1, 1, 1, 5, 6]);
  });

  it('keeps events that share a timestamp on one side', () => {
    expect(safeSplit(texts(1, 2, 2, 3), 2)).toBe(1);
    expect(safeSplit(texts(1, 1, 1), 2)).toBe(0);
    expect(safeSplit(texts(1, 1, 1), 3)).toBe(3);
  });

  it('keeps events on one side that clocks put in another order than the log', () => {
    expect(safeSplit(texts(1, 5, 2, 6), 2)).toBe(1);
    expect(safeSplit(texts(1, 5, 2, 6), 3)).toBe(3);
  });

  it('keeps to the right only what is younger than the time the left reaches anyway', () => {
    expect(safeSplit(texts(1, 2, 3, 4), 1, 3)).toBe(0);
    expect(safeSplit(texts(1, 2, 3, 4), 3, 3)).toBe(3);
  });

  it('always leaves every event before the place older than every event after it', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 8 })), fc.nat(12), (timestamps, at) => {
        const split = safeSplit(texts(...timestamps), at);

        const left = Math.max(-Infinity, ...timestamps.slice(0, split));
        const right = Math.min(Infinity, ...timestamps.slice(split));
        expect(split).toBeLessThanOrEqual(at);
        expect(split === 0 || left < right).toBe(true);
      }),
    );
  });
});
