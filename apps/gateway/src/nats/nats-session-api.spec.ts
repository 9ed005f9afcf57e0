import { AdkError, submitSchema } from '@skein/contracts';
import { type RpcClient } from '@skein/messaging';
import { NatsSessionApi } from './nats-session-api';

const key = { appName: 'app', userId: 'user', sessionId: 's' };
const submitted = { invocationId: 'e-1', segment: 0, sessionUid: 'uid', afterSeq: 0 };

/** Answers with the given outcomes in turn, and keeps what it was asked. */
function anApi(...outcomes: readonly unknown[]) {
  const asked: unknown[] = [];
  const rpc = {
    request: async (_subject: string, _schema: unknown, body: unknown): Promise<unknown> => {
      const outcome = outcomes[asked.length];
      asked.push(body);
      if (AdkError.isInstance(outcome)) throw outcome;
      return outcome;
    },
  };
  return { api: new NatsSessionApi(rpc as unknown as RpcClient), asked }; // All of it that is used.
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

  it('does not delete twice: there may be another session of that id by then', async () => {
    const { api, asked } = anApi(failing('rpc.timeout'), {});

    await expect(api.delete(key)).rejects.toMatchObject({ code: 'rpc.timeout' });

    expect(asked).toHaveLength(1);
  });
});
