import { type Event } from '@skein/contracts';
import { inTime, says } from '@skein/testing';
import { answersOf, CHILD_ANSWERS, SKIPPED_MODEL } from './answers-of';

const skipped: Event = { ...says('me', 'skipped'), customMetadata: { [SKIPPED_MODEL]: true } };
const round: Event = { ...says('user', 'round'), customMetadata: { [CHILD_ANSWERS]: { me: 2, child: 1 } } };

describe('the answers of an agent in a log', () => {
  it('are counted as the log grows, with those of agents that ran as tools, without those in the place of a model', () => {
    const events = inTime(says('me', 'one'), skipped);

    expect(answersOf('me', events)).toBe(1);
    events.push(says('me', 'two'), round);
    expect(answersOf('me', events)).toBe(4);
    expect(answersOf('child', events)).toBe(1);
    expect(answersOf('toString', events)).toBe(0);
  });

  it('are counted anew where something came in between, or the log was cut', () => {
    const events = inTime(says('me', 'one'), says('me', 'two'));
    answersOf('me', events);

    events.splice(1, 0, says('me', 'between'));
    expect(answersOf('me', events)).toBe(3);
    events.splice(1);
    expect(answersOf('me', events)).toBe(1);
    events.splice(0);
    expect(answersOf('me', events)).toBe(0);
  });
});
