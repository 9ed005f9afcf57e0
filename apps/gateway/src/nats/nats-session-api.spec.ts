import { AdkError, type SessionKey, submitSchema } from '@skein/contracts';
import { type RequestOptions, type RpcClient } from '@skein/messaging';
import { NatsSessionApi } from './nats-session-api';
import { type SubscriptionState } from './nats-session-feed';

const key = { appName: 'app', userId: 'user', sessionId: 's' };
const submitted = { invocationId: 'e-1', segment: 0, sessionUid: 'uid', afterSeq: 0 };

/** Answers with the given outcomes in turn, and keeps what it was asked. Its sessions are read by these. */
function anApi(...outcomes: readonly unknown[]) {
  const asked: unknown[] = [];
  const ways: (boolean | undefined)[] = [];
  const subscriptions = new Map<string, SubscriptionState>();
  const feed = { subscriptionOf: ({ sessionId }: SessionKey) => subscriptions.get(sessionId) };
  const rpc = {
    request: async (
      _subject: string,
      _schema: unknown,
      body: unknown,
      options: RequestOptions,
    ): Promise<unknown> => {
      const outcome = outcomes[asked.length];
      asked.push(body);
      ways.push(options.behindSent);
      if (AdkError.isInstance(outcome)) throw outcome;
      return outcome;
    },
  };
  const api = new NatsSessionApi(rpc as unknown as RpcClient, feed); // All of it that is used.
  return { api, asked, ways, subscriptions };
}

const failing = (code: string): AdkError => new AdkError('unavailable', code, 'of the test');
const input = submitSchema.parse({ ...key, runConfig: {}, requestId: crypto.randomUUID() });

describe('the sessions of the gateway', () => {
  it.each(['rpc.timeout', 'rpc.failed'])('row 2: asks once more in the same words after %s', async (code) => {
    const { api, asked } = anApi(failing(code), submitted);

    expect(await api.submit(input)).toEqual(submitted);

    expect(asked).toEqual([input, input]);
  });

  it.each(['rpc.no-responders', 'nats.away', 'store.unavailable'])('does not after %s', async (code) => {
    const { api, asked } = anApi(failing(code), submitted);

    await expect(api.submit(input)).rejects.toMatchObject({ code });

    expect(asked).toHaveLength(1);
  });

  it('gives up after the second time', async () => {
    const { api, asked } = anApi(failing('rpc.timeout'), failing('rpc.timeout'), submitted);

    await expect(api.submit(input)).rejects.toMatchObject({ code: 'rpc.timeout' });

    expect(asked).toHaveLength(2);
  });

  it('goes behind the subscription of who follows it, until one that did was answered', async () => {
    const { api, ways, subscriptions } = anApi(failing('store.unavailable'), submitted, submitted, submitted);
    const subscription = { isInForce: false };
    subscriptions.set('s', subscription);

    await expect(api.submit(input)).rejects.toMatchObject({ code: 'store.unavailable' });
    await api.submit(input);
    await api.submit(input);
    // The connection is another: it was subscribed anew.
    subscription.isInForce = false;
    await api.submit(input);

    expect(ways).toEqual([true, true, false, true]);
  });

  it('goes any way where nobody follows it', async () => {
    const { api, ways } = anApi(submitted);

    await api.submit(input);

    expect(ways).toEqual([false]);
  });

  it('does not delete twice: there may be another session of that id by then', async () => {
    const { api, asked } = anApi(failing('rpc.timeout'), {});

    await expect(api.delete(key)).rejects.toMatchObject({ code: 'rpc.timeout' });

    expect(asked).toHaveLength(1);
  });
});
