import { asError, describeError } from './describe-error';

const hostile = Object.defineProperty(new Error('hidden'), 'message', {
  get: () => {
    throw new Error('not even this');
  },
});

describe('describeError', () => {
  it.each([
    ['an error', new Error('broken'), 'broken'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['a text', 'broken', 'broken'],
    ['nothing', undefined, 'undefined'],
    ['an object without a text', Object.create(null), 'something that has no text was thrown'],
    ['an error that throws when it is read', hostile, 'something that has no text was thrown'],
  ])('finds a text for %s', (_what, thrown, text) => {
    expect(describeError(thrown)).toBe(text);
    expect(asError(thrown)).toBeInstanceOf(Error);
  });

  it('keeps an error that can be read as it is', () => {
    const error = new RangeError('too far');
    expect(asError(error)).toBe(error);
  });
});
