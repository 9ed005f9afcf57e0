import fc from 'fast-check';
import { mergeState, separateTemp, splitState } from './state-scope';

const aKey = fc
  .tuple(fc.constantFrom('', 'app:', 'user:', 'temp:', 'other:', 'app:user:'), fc.string())
  .map(([prefix, name]) => prefix + name);
const aState = fc.dictionary(aKey, fc.jsonValue());

describe('state scopes (B57)', () => {
  it('merge back to what was split, but for temp: keys', () => {
    fc.assert(
      fc.property(aState, (state) => {
        expect(mergeState(splitState(state))).toEqual({ ...separateTemp(state).stored });
      }),
    );
  });

  it('hold every key once', () => {
    fc.assert(
      fc.property(aState, (state) => {
        const sizes = Object.values(splitState(state)).map((scope) => Object.keys(scope as object).length);
        expect(sizes.reduce((sum, size) => sum + size)).toBe(Object.keys(state).length);
      }),
    );
  });

  it('take only their own prefix off', () => {
    expect(splitState({ 'app:a': 1, 'user:app:b': 2, 'temp:c': 3, d: 4, 'other:e': 5 })).toEqual({
      app: { a: 1 },
      user: { 'app:b': 2 },
      temp: { c: 3 },
      session: { d: 4, 'other:e': 5 },
    });
  });
});

describe('separateTemp', () => {
  it('parts a delta so that both halves together are the whole', () => {
    fc.assert(
      fc.property(aState, (state) => {
        const { stored, temp } = separateTemp(state);
        expect({ ...stored, ...temp }).toEqual({ ...state });
        expect(Object.keys(temp).every((key) => key.startsWith('temp:'))).toBe(true);
        expect(Object.keys(stored).some((key) => key.startsWith('temp:'))).toBe(false);
      }),
    );
  });
});
