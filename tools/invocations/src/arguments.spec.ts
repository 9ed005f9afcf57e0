import { parseInvocationsArguments } from './arguments';
import { UsageError } from './usage-error';

const where = ['--app', 'my_app', '--session', 'a/b'];
const all = '/apps/my_app/users/user/sessions/a%2Fb/invocations';

describe('skein invocations', () => {
  it.each([
    [['list'], { method: 'GET', path: all }],
    [['show', 'e-1'], { method: 'GET', path: `${all}/e-1` }],
    [['cancel', 'e-1'], { method: 'POST', path: `${all}/e-1/cancel` }],
  ])('%p asks the gateway', (words, asked) => {
    expect(parseInvocationsArguments([...words, ...where])).toMatchObject(asked);
  });

  it.each([
    [[], 'Name the app'],
    [['cancel', ...where], 'needs its id'],
    [['list', 'e-1', ...where], 'list, show or cancel'],
    [['stop', 'e-1', ...where], 'list, show or cancel'],
    [['show', 'e-1', 'e-2', ...where], 'e-2'],
    [['list', '--url', 'nowhere', ...where], 'not a URL'],
    [['list', '--what', ...where], '--what'],
  ])('%p is refused', (words, sentence) => {
    expect(() => parseInvocationsArguments(words)).toThrow(UsageError);
    expect(() => parseInvocationsArguments(words)).toThrow(sentence);
  });

  it('only helps when asked to', () => {
    expect(parseInvocationsArguments(['--help'])).toBeUndefined();
  });
});
