import { isShortJson } from './is-short-json';

describe('isShortJson', () => {
  it.each([
    ['nothing', {}, 2],
    ['a text', 'abc', 5],
    ['what is nested', { a: { b: [1, 2, 3] } }, 40],
  ])('says so of %s', (_what, value, length) => {
    expect(isShortJson(value, length)).toBe(true);
  });

  it.each([
    ['a long text', { a: 'x'.repeat(100) }],
    ['a long key', { ['x'.repeat(100)]: 1 }],
    ['many items', { a: Array.from({ length: 100 }, () => 1) }],
    ['many keys', Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, null]))],
  ])('does not say so of %s', (_what, value) => {
    expect(isShortJson(value, 60)).toBe(false);
  });

  it('reads no further than it has to', () => {
    const read: number[] = [];
    const items = new Proxy(new Array<number>(1_000).fill(7), {
      get: (target, name) => {
        read.push(Number(name));
        return target[Number(name)];
      },
    });

    expect(isShortJson({ items }, 100)).toBe(false);
    expect(read.length).toBeLessThan(100);
  });
});
