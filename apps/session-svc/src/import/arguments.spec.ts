import { parseImportArguments, UsageError } from './arguments';

describe('skein import', () => {
  it('is asked for with a source, an app and its name here', () => {
    const words = ['--from', 'sqlite:///a.db', '--app', 'one', '--as', 'two', '--dry-run', '--repair'];

    expect(parseImportArguments(words)).toEqual({
      from: 'sqlite:///a.db',
      apps: ['one'],
      as: 'two',
      isDryRun: true,
      repairs: true,
    });
  });

  it.each([
    [[], 'Name the database'],
    [['--from', ''], 'Name the database'],
    [['--from', 'x', '--from', 'y'], '--from is given twice'],
    [['--from', 'x', '--as', 'y'], '--as renames one app'],
    [['--from', 'x', '--app', 'a', '--app', 'b', '--as', 'y'], '--as renames one app'],
    [['--from', 'x', '--app', 'a', '--as', 'y', '--as', 'z'], '--as renames one app'],
    [['--from', 'x', '--app', 'a', '--as', 'my app'], '--as my app: must begin with a letter'],
    [['--from', 'x', '--app', 'a', '--as', 'user'], 'is reserved'],
    [['--from', 'x', '--app', ''], '--app is empty'],
    [['--from', 'x', 'y'], 'a word too many'],
    [['--what'], '--what'],
  ])('is refused as %p', (words, sentence) => {
    expect(() => parseImportArguments(words)).toThrow(UsageError);
    expect(() => parseImportArguments(words)).toThrow(sentence);
  });

  it('is told its source by the environment, where a password belongs', () => {
    expect(parseImportArguments([], 'postgresql://u:p@h/d')).toMatchObject({ from: 'postgresql://u:p@h/d' });
    expect(() => parseImportArguments(['--from', 'a.db'], 'b.db')).toThrow('--from and IMPORT_FROM both');
  });

  it('may be of several apps', () => {
    expect(parseImportArguments(['--from', 'x', '--app', 'a', '--app', 'b', '--app', 'a'])).toMatchObject({
      apps: ['a', 'b'],
      as: undefined,
    });
    expect(parseImportArguments(['--from', 'x'])).toMatchObject({ apps: undefined });
  });

  it('only helps when asked to', () => {
    expect(parseImportArguments(['--help', '--from', 'x'])).toBeUndefined();
  });
});
