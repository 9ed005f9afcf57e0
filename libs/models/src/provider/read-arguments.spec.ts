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
});
