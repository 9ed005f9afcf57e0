import { wordsOf } from './words-of';

describe('wordsOf', () => {
  it('finds names, keys, strings and the words of templates', () => {
    const source = "class A { #own = 1; key = { 'two words': `CREATE TABLE adk_events (${columns})` } }";
    expect([...wordsOf('a.ts', source)]).toEqual(
      expect.arrayContaining(['A', '#own', 'key', 'two words', 'words', 'adk_events', 'columns']),
    );
  });

  it('finds nothing in comments', () => {
    expect(wordsOf('a.ts', '/** Ghost */ // ghost\n').size).toBe(0);
  });

  it('takes all words of other files', () => {
    expect(wordsOf('package.json', '{ "test:unit": "jest" }')).toEqual(
      new Set(['test:unit', 'test', 'unit', 'jest', ':']),
    );
  });
});
