import { parseNatsServers } from './nats-servers';

describe('NATS_URL', () => {
  it.each([
    ['nats://127.0.0.1:4222', { servers: ['nats://127.0.0.1:4222'] }],
    ['localhost:4222', { servers: ['nats://localhost:4222'] }],
    ['nats://a:4222, tls://b:4222', { servers: ['nats://a:4222', 'tls://b:4222'] }],
    ['nats://ann:p%40ss@a', { servers: ['nats://a'], user: 'ann', pass: 'p@ss' }],
    ['nats://a,nats://s3cret@b', { servers: ['nats://a', 'nats://b'], token: 's3cret' }],
  ])('%s', (text, expected) => {
    expect(parseNatsServers(text)).toEqual(expected);
  });
});
