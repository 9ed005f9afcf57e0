import { type Difference, differences } from './differences';
import { isKnown } from './known-difference';
import { isDeepStrictEqual } from 'node:util';

const event = (text: string) => ({ invocationId: 'i', author: 'a', content: { parts: [{ text }] } });

describe('the differences of two values', () => {
  it('are told innermost, with the side that has nothing left out', () => {
    expect(differences({ a: { b: [1], c: 1 } }, { a: { b: [1], d: 2 } })).toEqual([
      { at: 'a.c', theirs: 1 },
      { at: 'a.d', ours: 2 },
    ]);
  });

  it('are none where values are equal in another order of keys', () => {
    expect(differences({ a: 1, b: { c: [] } }, { b: { c: [] }, a: 1 })).toEqual([]);
  });

  it('of lists of events are those of the events that stand for the same', () => {
    const other = { ...event('no'), errorCode: 'E' };

    expect(differences([event('x')], [other, event('y')])).toEqual([
      { at: '[0]', ours: 'a: error' },
      { at: '[1].content.parts[0].text', theirs: 'x', ours: 'y' },
    ]);
  });
});

describe('a known difference', () => {
  const is = (found: Difference, known: Difference) => isKnown(found, known, isDeepStrictEqual);

  it('is known by its place and both values', () => {
    expect(is({ at: 'a[12].b', theirs: [1] }, { at: 'a[*].b', theirs: [1] })).toBe(true);
    expect(is({ at: 'a[0].b', theirs: 1 }, { at: 'a[1].b', theirs: 1 })).toBe(false);
    expect(is({ at: 'a', theirs: 1, ours: 2 }, { at: 'a', theirs: 1 })).toBe(false);
    expect(is({ at: 'a', theirs: 1 }, { at: 'a', theirs: 1, ours: 2 })).toBe(false);
  });

  it('is not known by a place that has the other one in it', () => {
    expect(is({ at: 'aa.b', ours: 1 }, { at: 'a.b', ours: 1 })).toBe(false);
    expect(is({ at: 'axb', ours: 1 }, { at: 'a.b', ours: 1 })).toBe(false);
  });
});
