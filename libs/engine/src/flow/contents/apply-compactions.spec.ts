import { type Event } from '@skein/contracts';
import { answers, asks, says, summary, transcript } from '@skein/testing';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';

const me: ContentsView = { agentName: 'me', includeContents: 'default' };

function at(timestamp: number, event: Event): Event {
  return { ...event, timestamp };
}

function user(timestamp: number, branch?: string): Event {
  return says('user', `u${timestamp}`, { timestamp, ...(branch ? { branch } : {}) });
}

function told(events: Event[], view: Partial<ContentsView> = {}): string[] {
  return transcript(buildContents(events, { ...me, ...view }));
}

describe('compactions (B8)', () => {
  it("put a summary, as the agent's own words, in the place of what it covers", () => {
    const events = [user(1), user(2), summary('s', [1, 2]), user(4)];

    expect(told(events)).toEqual(['model: s', 'user: u4']);
  });

  it('put the summary before the events that were left as they are', () => {
    const events = [user(1), user(2), user(3), user(4), summary('s', [1, 2]), user(6)];

    expect(told(events)).toEqual(['model: s', 'user: u3', 'user: u4', 'user: u6']);
  });

  it('that overlap both count, in their order', () => {
    const events = [
      user(1),
      user(2),
      summary('s1', [1, 2]),
      user(3),
      user(4),
      summary('s2', [2, 4]),
      user(6),
    ];

    expect(told(events)).toEqual(['model: s1', 'model: s2', 'user: u6']);
  });

  it('replace earlier ones that lie within them, of the same range too', () => {
    const events = [
      user(1),
      summary('s1', [1, 1]),
      user(2),
      summary('s2', [1, 2]),
      summary('s3', [1, 2]),
      user(5),
    ];

    expect(told(events)).toEqual(['model: s3', 'user: u5']);
  });

  it('do not cover what was logged after them at the same time', () => {
    const events = [user(1), user(2), summary('s', [1, 2], { timestamp: 2 }), at(2, says('me', 'late'))];

    expect(told(events)).toEqual(['model: s', 'model: late']);
  });

  it('are not replaced by an earlier one that happens to span the same time', () => {
    const events = [
      user(1),
      at(5, says('me', 'a')),
      summary('s1', [1, 5]),
      at(5, says('me', 'b')),
      summary('s2', [5, 5]),
      user(6),
    ];

    expect(told(events)).toEqual(['model: s1', 'model: s2', 'user: u6']);
  });

  it('without words make nothing vanish', () => {
    const events = [user(1), summary('  ', [1, 1]), user(2)];

    expect(told(events)).toEqual(['user: u1', 'user: u2']);
  });

  it('of a branch cover only what is visible there (B3)', () => {
    const events = [
      user(1),
      user(2, 'p.a'),
      user(3, 'p.b'),
      summary('of a', [1, 3], { branch: 'p.a' }),
      user(5, 'p.a.deep'),
    ];

    expect(told(events, { branch: 'p.a' })).toEqual(['model: of a']);
    expect(told(events, { branch: 'p.b' })).toEqual(['user: u1', 'user: u3']);
    expect(told(events)).toEqual(['user: u3', 'model: of a', 'user: u5']);
  });

  it('of a branch replace a summary of all only for that branch (B3)', () => {
    const events = [
      user(1),
      user(2, 'p.b'),
      summary('of all', [1, 2]),
      user(4, 'p.a'),
      summary('of a', [1, 4], { branch: 'p.a' }),
    ];

    expect(told(events, { branch: 'p.a' })).toEqual(['model: of a']);
    expect(told(events)).toEqual(['model: of all', 'model: of a']);
  });

  describe('bring a call back', () => {
    it('whose response came after', () => {
      const events = [
        user(1),
        at(2, asks('me', ['a'])),
        at(3, answers('me', { a: 'pending' })),
        summary('s', [1, 3]),
        at(5, answers('user', { a: 'done' })),
      ];

      expect(told(events)).toEqual(['model: s', 'model: ?a', 'user: !a=done']);
    });

    it('whole, with the latest responses to its other calls', () => {
      const events = [
        at(1, asks('me', ['a', 'b'])),
        at(2, answers('me', { a: 'pending', b: 'pending' })),
        at(3, answers('user', { b: 2 })),
        summary('s', [1, 3]),
        user(5),
        at(6, answers('user', { a: 1 })),
      ];

      expect(told(events)).toEqual(['model: s', 'user: u5', 'model: ?a | ?b', 'user: !b=2 | !a=1']);
    });

    it('once, for several responses', () => {
      const events = [
        at(1, asks('me', ['a', 'b'])),
        summary('s', [1, 1]),
        at(3, answers('user', { a: 1 })),
        at(4, answers('user', { b: 2 })),
        user(5),
      ];

      expect(told(events)).toEqual(['model: s', 'model: ?a | ?b', 'user: !a=1 | !b=2', 'user: u5']);
    });

    it("of another agent's too, as context (B5)", () => {
      const events = [at(1, asks('other', ['a'])), summary('s', [1, 1]), at(3, answers('user', { a: 1 }))];

      expect(told(events)).toEqual([
        'model: s',
        'user: For context: | [other] called tool `f_a` with parameters: {}',
        'user: For context: | [user] `f_a` tool returned result: {"result":1}',
      ]);
    });

    it('and not another one of the same id', () => {
      const events = [
        at(1, asks('me', ['a'])),
        at(2, answers('me', { a: 'first' })),
        at(3, asks('me', ['a'])),
        summary('s', [1, 3]),
        at(5, answers('user', { a: 'second' })),
      ];

      expect(told(events)).toEqual(['model: s', 'model: ?a', 'user: !a=second']);
    });
  });
});
