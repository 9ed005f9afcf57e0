import { parseImportArguments, UsageError } from './arguments';

describe('skein import', () => {
  it('is asked for with a source, an app and its name here', () => {
    const words = ['--from', 'sqlite:///a.db', '--app', 'one', '--as', 'two', '--dry-run', '--repair'];

    expect(parseImportArguments(words)).toEqual({
      from: 'sqlite:///a.db',
      app: 'one',
      as: 'two',
      isDryRun: true,
      repairs: true,
    });
  });

  it.each([
    [[], 'Name the database'],
    [['--from', ''], 'Name the database'],
    [['--from', 'x', '--as', 'y'], '--as renames one app'],
    [['--from', 'x', 'y'], 'a word too many'],
    [['--what'], '--what'],
  ])('is refused as %p', (words, sentence) => {
    expect(() => parseImportArguments(words)).toThrow(UsageError);
    expect(() => parseImportArguments(words)).toThrow(sentence);
  });

  it('only helps when asked to', () => {
    expect(parseImportArguments(['--help', '--from', 'x'])).toBeUndefined();
  });
});
