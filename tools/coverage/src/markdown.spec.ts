import { code, table } from './markdown';

describe('code', () => {
  it.each([
    ['plain', '`plain`'],
    ['a `b` c', '``a `b` c``'],
    ['`b`', '`` `b` ``'],
  ])('fences %j as %j', (text, fenced) => {
    expect(code(text)).toBe(fenced);
  });
});

describe('table', () => {
  it('makes columns as wide as their widest cell', () => {
    expect(table(['a', 'b'], [['long', 'x|y']])).toBe(
      ['| a    | b    |', '| ---- | ---- |', '| long | x\\|y |'].join('\n'),
    );
  });
});
