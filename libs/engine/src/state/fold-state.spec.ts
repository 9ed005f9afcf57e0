import { foldSessionState } from './fold-state';

describe('folding state', () => {
  it('takes deltas in order, per key, and leaves out other scopes', () => {
    const deltas = [{ a: 2, 'app:a': 1, 'user:b': 1, 'temp:c': 1 }, { b: null }, { a: 3 }];

    expect(foldSessionState({ a: 1, z: 0 }, deltas)).toEqual({ a: 3, b: null, z: 0 });
  });

  it('keeps keys of the prototype as keys', () => {
    const delta = JSON.parse('{"__proto__":{"polluted":1}}') as Record<string, unknown>;

    const folded = foldSessionState({}, [delta]);

    expect(Object.keys(folded)).toEqual(['__proto__']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
