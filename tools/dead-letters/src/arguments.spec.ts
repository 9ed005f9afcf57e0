import { UsageError } from '../../invocations/src/usage-error';
import { parseDeadLettersArguments } from './arguments';

const where = ['--app', 'my_app'];
const all = '/apps/my_app/dead-letters';

describe('skein dead-letters', () => {
  it.each([
    [['list'], { method: 'GET', path: all }],
    [
      ['list', '--status', 'open', '--before', 'a b'],
      { method: 'GET', path: `${all}?status=open&before=a+b` },
    ],
    [['list', '--limit', '200'], { method: 'GET', path: `${all}?limit=200` }],
    [['show', 'd-1'], { method: 'GET', path: `${all}/d-1` }],
    [['redrive', 'd-1'], { method: 'POST', path: `${all}/d-1/redrive` }],
    [['redrive', 'd-1', '--force'], { method: 'POST', path: `${all}/d-1/redrive?force=true` }],
    [['discard', 'd/1'], { method: 'DELETE', path: `${all}/d%2F1` }],
  ])('%p asks the gateway', (words, asked) => {
    expect(parseDeadLettersArguments([...words, ...where])).toMatchObject(asked);
  });

  it.each([
    [[], 'Name the app'],
    [['redrive', ...where], 'needs its id'],
    [['list', 'd-1', ...where], 'list, show, redrive or discard'],
    [['list', '--status', 'dead', ...where], 'is not open'],
    [['list', '--limit', '0', ...where], '--limit 0 is not a whole number from 1 to 200'],
    [['list', '--limit', '1e2', ...where], '--limit 1e2 is not'],
    [['show', 'd-1', 'd-2', ...where], 'd-2'],
    [['list', '--url', 'nowhere', ...where], 'not a URL'],
    [['list', '--what', ...where], '--what'],
  ])('%p is refused', (words, sentence) => {
    expect(() => parseDeadLettersArguments(words)).toThrow(UsageError);
    expect(() => parseDeadLettersArguments(words)).toThrow(sentence);
  });

  it('only helps when asked to', () => {
    expect(parseDeadLettersArguments(['--help'])).toBeUndefined();
  });
});
