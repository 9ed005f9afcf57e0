import { readArguments } from './read-arguments';

describe('readArguments', () => {
  it.each([
    ['an object', '{"city": "Köln"}', { city: 'Köln' }],
    ['an object in the text of a text', '"{\\"city\\": \\"Köln\\"}"', { city: 'Köln' }],
    ['an object that is none to be parsed', { city: 'Köln' }, { city: 'Köln' }],
    ['nothing', '', {}],
    ['white space', ' \n', {}],
    ['null', 'null', {}],
    ['no field at all', undefined, {}],
  ])('reads %s', (_what, written, args) => {
    expect(readArguments(written)).toEqual({ args });
  });

  it.each(['{"city": "Kö', '[1]', '7', '"Köln"', 'city=Köln', '{}{}'])(
    'keeps what is no JSON object for the engine to answer: %s',
    (written) => {
      expect(readArguments(written)).toEqual({ args: {}, malformedArgs: written });
    },
  );

  it.each([
    ['values', `{"a":[${'0,'.repeat(300_000)}0]}`],
    ['levels', '{"a":'.repeat(100_000)],
  ])('refuses more %s than can be kept before it parses them', (_what, written) => {
    const parse = jest.spyOn(JSON, 'parse');
    const tooLarge = expect.objectContaining({ code: 'model.too-large' }) as Error;
    const twice = JSON.stringify(written);
    parse.mockClear();

    expect(() => readArguments(written)).toThrow(tooLarge);
    expect(parse).not.toHaveBeenCalled();
    expect(() => readArguments(twice)).toThrow(tooLarge);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it('keeps a key that is a name of objects a key', () => {
    const { args } = readArguments('{"__proto__": {"isAdmin": true}, "constructor": 1}');

    expect(Object.entries(args ?? {})).toEqual([
      ['__proto__', { isAdmin: true }],
      ['constructor', 1],
    ]);
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
  });
});
