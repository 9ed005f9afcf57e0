import { align } from './align';

const pairs = (theirs: string, ours: string) =>
  align([...theirs], [...ours], (letter) => letter).map((pair) =>
    'theirs' in pair && 'ours' in pair ? pair.ours : 'theirs' in pair ? `-${pair.theirs}` : `+${pair.ours}`,
  );

describe('two lists beside each other', () => {
  it('are one where they are equal', () => {
    expect(pairs('abc', 'abc')).toEqual(['a', 'b', 'c']);
  });

  it('show what only one of them has, in its place', () => {
    expect(pairs('acd', 'abd')).toEqual(['a', '-c', '+b', 'd']);
    expect(pairs('', 'ab')).toEqual(['+a', '+b']);
  });

  it('keep as many together as can be', () => {
    expect(pairs('xabc', 'abcx')).toEqual(['-x', 'a', 'b', 'c', '+x']);
  });
});
