import { subjectsCollide } from './subjects-collide';

describe('subjectsCollide', () => {
  it.each([
    ['rpc.>', 'rpc.session.submit', true],
    ['>', 'work.>', true],
    ['*.session.submit', 'rpc.>', true],
    ['rpc', 'rpc.>', false],
    ['tool.>', 'rpc.>', false],
    ['a.*.c', 'a.b.*', true],
    ['a.*.c', 'a.b.d', false],
    ['a.b', 'a.b.c', false],
  ])('%s and %s: %s', (one, other, expected) => {
    expect(subjectsCollide(one, other)).toBe(expected);
    expect(subjectsCollide(other, one)).toBe(expected);
  });
});
