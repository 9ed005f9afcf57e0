import { silentLogger } from '@skein/platform';
import { Sweeper, type SweeperParts } from './sweeper';

const SWEEP_MS = 100;

/** A sweeper over an empty database; `look` is what JetStream has to say. */
function aSweeper(look: () => Promise<void>) {
  const done = { looks: 0, overdueCancels: 0, statements: 0 };
  const parts: Pick<
    SweeperParts,
    'pool' | 'connection' | 'cancellation' | 'streams' | 'secret' | 'sweepMs' | 'logger'
  > = {
    pool: {
      query: async () => {
        done.statements += 1;
        return { rows: [] };
      },
    } as unknown as SweeperParts['pool'],
    connection: {
      isConnected: () => true,
      onReconnect: () => () => undefined,
    } as unknown as SweeperParts['connection'],
    cancellation: {
      endOverdue: async () => void (done.overdueCancels += 1),
    } as unknown as SweeperParts['cancellation'],
    streams: {
      look: () => {
        done.looks += 1;
        return look();
      },
    },
    secret: 's',
    sweepMs: SWEEP_MS,
    logger: silentLogger,
  };
  // All of it that is used where there is nothing to do.
  return { sweeper: new Sweeper(parts as SweeperParts), done };
}

describe('Sweeper', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  it('row 17: takes leases back and ends what is cancelled while JetStream answers nothing', async () => {
    const { sweeper, done } = aSweeper(() => new Promise(() => undefined));

    sweeper.start();
    await jest.advanceTimersByTimeAsync(10 * SWEEP_MS);

    // At most one and a half periods apart.
    expect(done.overdueCancels).toBeGreaterThanOrEqual(6);
    expect(done.looks).toBe(1);
  });

  it('row 17: goes on looking at the streams, and sending calls, after a look that failed', async () => {
    const { sweeper, done } = aSweeper(() => Promise.reject(new Error('no stream leader')));

    sweeper.start();
    await jest.advanceTimersByTimeAsync(10 * SWEEP_MS);
    const stopped = sweeper.stop();
    await jest.advanceTimersByTimeAsync(0);
    await stopped;

    expect(done.looks).toBeGreaterThanOrEqual(6);
    expect(jest.getTimerCount()).toBe(0);
  });
});
