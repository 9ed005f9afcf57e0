import { parseChatArguments, UsageError } from './chat-arguments';

describe('parseChatArguments', () => {
  it('reads the app and its options in any order', () => {
    const parsed = parseChatArguments([
      '--session',
      's 1',
      'quickstart',
      '--url',
      'http://x',
      '--user',
      'ann',
    ]);

    expect(parsed).toEqual({ app: 'quickstart', session: 's 1', url: 'http://x', user: 'ann' });
  });

  it('answers a wish for help with nothing else', () => {
    expect(parseChatArguments(['--help'])).toBeUndefined();
  });

  it.each([[[]], [['a', 'b']], [['a', '--url', 'nowhere']], [['a', '--sesion', 's']]])(
    'refuses %j',
    (args) => {
      expect(() => parseChatArguments(args)).toThrow(UsageError);
    },
  );
});
