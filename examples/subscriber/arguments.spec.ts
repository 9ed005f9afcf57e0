import { parseSubscriberArguments } from './arguments';

describe('the command line of the subscriber', () => {
  it('is not needed beside a stack', () => {
    expect(parseSubscriberArguments([], { DATA_DIR: '/data' })).toEqual({
      dataDir: '/data',
      outputDir: '/data/subscriber',
      name: 'subscriber',
      natsUrl: undefined,
      gatewayUrl: undefined,
    });
  });

  it.each([
    [['--name', 'a.b'], /--name a\.b/],
    [['--nats', '4222'], /4222 is not a URL/],
    [['--session', 's'], /--session/],
  ])('is refused when it is %j', (args, sentence) => {
    expect(() => parseSubscriberArguments(args, {})).toThrow(sentence);
  });

  it('may ask for help', () => {
    expect(parseSubscriberArguments(['--help'], {})).toBeUndefined();
  });
});
