import fc from 'fast-check';
import { fromSubjectToken, subjectToken } from './subject-token';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '',
    '.',
    'a.b',
    'a..b',
    '*',
    '>',
    ' ',
    '\0',
    '\ud800',
    '\udc00a',
    '_YQ',
    '=YQ',
    '$SYS',
    '日本',
  ),
);

describe('subjectToken', () => {
  it('decodes to the text it was made of, for any text', () => {
    fc.assert(fc.property(anyText, (text) => expect(fromSubjectToken(subjectToken(text))).toBe(text)));
  });

  it('gives no two texts the same token', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(subjectToken(one) === subjectToken(other)).toBe(one === other);
      }),
    );
  });

  it('makes exactly one subject token of any text', () => {
    fc.assert(fc.property(anyText, (text) => expect(subjectToken(text)).toMatch(/^[a-zA-Z0-9_=-]+$/)));
  });
});
