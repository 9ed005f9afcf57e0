import { readJson } from './read-json';

describe('a body of JSON', () => {
  it.each([
    '{"a":1,"b":{"a":[1,{"a":":{,"}]}}',
    '[0.1,-0,1.0,1e300,9007199254740991,9007199254740993.0]',
    String.raw`{"\u0061":"\u0001 \ud83d\ude00","b\n":"\\u0000"}`,
    '{"__proto__":{"a":1},"":null}',
    '"text"',
    ' [] ',
  ])('is read as JSON is where it harms nobody: %s', (text) => {
    expect(readJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['{"a":1,"a":1}', 'request.malformed'],
    [String.raw`{"a":1,"\u0061":2}`, 'request.malformed'],
    ['[{"b":{"c":{},"d":1,"c":[]}}]', 'request.malformed'],
    ['{"__proto__":1,"__proto__":2}', 'request.malformed'],
    ['{"a":1e400}', 'request.malformed'],
    ['[9007199254740993]', 'request.malformed'],
    ['[-9007199254740993]', 'request.malformed'],
    [String.raw`["\u0000"]`, 'request.refused'],
    [String.raw`{"\ud800":1}`, 'request.refused'],
    ['['.repeat(65) + ']'.repeat(65), 'request.refused'],
    [`[${'0,'.repeat(250_000)}0]`, 'request.refused'],
  ])('is refused where it harms: %.40s', (text, code) => {
    expect(() => readJson(text)).toThrow(expect.objectContaining({ code }));
  });

  it.each(['{', '', '[1,]', '\uFEFF{}', '{"a":1}}'])(
    'throws what JSON throws for what is none: %j',
    (text) => {
      expect(() => readJson(text)).toThrow(SyntaxError);
    },
  );
});
