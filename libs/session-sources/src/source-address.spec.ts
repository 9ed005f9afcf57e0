import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SourceError } from './session-source';
import { parseSourceAddress } from './source-address';

describe('what --from names', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'skein-address-'));
  const file = path.join(folder, 'session.db');
  beforeAll(() => writeFileSync(file, ''));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['postgresql', 'postgres', 'postgresql+asyncpg', 'postgresql+psycopg2'])(
    'may be %s://',
    (scheme) => {
      expect(parseSourceAddress(`${scheme}://ada:secret@db:5432/adk`)).toEqual({
        kind: 'postgres',
        url: 'postgresql://ada:secret@db:5432/adk',
        name: 'postgresql://db/adk',
      });
    },
  );

  it.each([
    ['postgresql://ada:secret@db:5433/adk', 'postgresql://db:5433/adk'],
    ['postgresql://ada:secret@[::1]:5432/adk', 'postgresql://[::1]/adk'],
    ['postgresql://ada@db/adk?options=-csearch_path%3Da%40b', 'postgresql://db/adk (-csearch_path=a@b)'],
  ])('is named without user, password and the port that is meant without one: %s', (from, name) => {
    expect(parseSourceAddress(from)).toMatchObject({ name });
  });

  it.each([
    ['a path', file],
    ['an absolute path as SQLAlchemy has it', `sqlite:///${file}`],
    ['one with a driver', `sqlite+aiosqlite:///${file}`],
    ['an absolute path as adk-js has it', `sqlite://${file}`],
    ['a relative path as SQLAlchemy has it', `sqlite:///${path.relative(process.cwd(), file)}`],
  ])('may be a file: %s', (_, from) => {
    expect(parseSourceAddress(from)).toEqual({ kind: 'sqlite', file });
  });

  it('makes no file where there is none', () => {
    const none = path.join(folder, 'none.db');

    expect(() => parseSourceAddress(none)).toThrow('no file');
    expect(existsSync(none)).toBe(false);
  });

  it('may have a password whose signs are percent-encoded, and a file a colon in its name', () => {
    const odd = path.join(folder, 'a:b@c.db');
    writeFileSync(odd, '');

    expect(parseSourceAddress('postgresql://ada:%2F%3F%23%40@db/adk')).toMatchObject({
      name: 'postgresql://db/adk',
    });
    expect(parseSourceAddress(odd)).toEqual({ kind: 'sqlite', file: odd });
  });

  it('is not guessed where it may be two files', () => {
    const below = path.join(folder, file);
    mkdirSync(path.dirname(below), { recursive: true });
    writeFileSync(below, '');
    const before = process.cwd();
    process.chdir(folder);
    try {
      expect(() => parseSourceAddress(`sqlite://${file}`)).toThrow('give the path itself');
    } finally {
      process.chdir(before);
    }
  });

  it.each([
    ['mysql+pymysql://ada:secret@db/adk', 'pgloader'],
    ['mariadb://ada:secret@db/adk', 'pgloader'],
    ['mssql://ada:secret@db/adk', 'mssql: is not read'],
    ['postgresql://ada:secret@[::/adk', 'no valid'],
    ['sqlite://:memory:', 'in memory'],
    ['nowhere.db', 'no file nowhere.db'],
    ['sqlite:///no/such/file.db', 'no file /no/such/file.db'],
    ['1x://ada:secret@db', 'neither'],
    ['postgresql:ada:secret@db/adk', 'no valid postgresql:// URL'],
    ['postgres:/ada:secret@db/adk', 'no valid postgresql:// URL'],
    ['postgresql://ada:12/secret@db/adk', 'percent-encoded'],
    ['postgresql://ada:12?secret@db/adk', 'percent-encoded'],
    ['postgresql://ada:12#secret@db/adk', 'percent-encoded'],
    ['postgresql://ada:p@secret?x@db/adk', 'percent-encoded'],
    ['postgresql://ada@secret:12?34@db/adk', 'percent-encoded'],
    ['sqlite:///100%.db', "a '%' in a sqlite:// URL has to be written %25"],
    ['mysql:ada:secret@db/adk', 'pgloader'],
    ['http:ada:secret@db/adk', 'http: is not read'],
    ['ada:secret@db/adk', 'no such file'],
    ['sqlite:ada:secret@db/adk', 'no such file'],
  ])('is refused as %s', (from, sentence) => {
    const parse = (): unknown => parseSourceAddress(from);

    expect(parse).toThrow(SourceError);
    expect(parse).toThrow(sentence);
    expect(parse).not.toThrow('secret');
  });
});
