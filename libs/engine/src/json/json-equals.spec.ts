import fc from 'fast-check';
import { jsonEquals } from './json-equals';

describe('jsonEquals', () => {
  it('finds any value equal to its copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expect(jsonEquals(value, structuredClone(value))).toBe(true)),
    );
  });

  it('does not care for the order of keys', () => {
    expect(jsonEquals({ a: 1, b: [{ c: null, d: 2 }] }, { b: [{ d: 2, c: null }], a: 1 })).toBe(true);
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, { b: undefined }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [
      [1, 2],
      [2, 1],
    ],
    [[], {}],
    [null, {}],
    [null, undefined],
    ['1', 1],
  ])('tells %j from %j', (one, other) => {
    expect(jsonEquals(one, other)).toBe(false);
  });
});
