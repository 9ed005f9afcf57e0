import { mutated } from './mutation';

describe('mutated', () => {
  it('changes the one place', () => {
    expect(mutated('a b c', { file: 'f', from: 'b', to: '$&' })).toBe('a $& c');
  });

  it.each([
    ['is not there', 'x', 'f no longer holds: x'],
    ['is there twice', 'a', 'f holds more than once: a'],
  ])('refuses a text that %s', (_what, from, message) => {
    expect(() => mutated('a b a', { file: 'f', from, to: '' })).toThrow(message);
  });
});
