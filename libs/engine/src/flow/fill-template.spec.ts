import { State } from '../state/state';
import { fillTemplate } from './fill-template';

const state = new State(
  { name: 'Ada', n: 3, list: [1, 'two'], nothing: null, 'user:lang': 'en', 'app:v': 1, 'other:x': 'no' },
  [{}],
);

describe('fillTemplate (B59)', () => {
  it.each([
    ['{name}', 'Ada'],
    ['{ name }', 'Ada'],
    ['{{name}}', 'Ada'],
    ['{n} {list} {nothing}.', '3 [1,"two"] .'],
    ['{user:lang} {app:v}', 'en 1'],
    ['{missing?}{name?}', 'Ada'],
    ['{temp:missing?}.', '.'],
  ])('makes %j into %j', (template, filled) => {
    expect(fillTemplate(template, state)).toBe(filled);
  });

  it.each(['{}', '{invalid-key}', '{other:x}', '{"json": 1}', '{1a}', '{a b}', '{ }'])(
    'leaves %j as it is',
    (template) => {
      expect(fillTemplate(template, state)).toBe(template);
    },
  );

  it('refuses a name that state does not have', () => {
    expect(() => fillTemplate('Hi {missing}!', state)).toThrow('Context variable not found: `missing`.');
  });

  it('does not read what it put in', () => {
    expect(fillTemplate('{a}', new State({ a: '{name}' }, [{}]))).toBe('{name}');
  });
});
