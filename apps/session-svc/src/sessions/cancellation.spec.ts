import { silentLogger } from '@skein/platform';
import { Cancellation, type CancellationParts } from './cancellation';

/** Over a database whose only invocation runs; how often it was asked to end it at last. */
function aCancellation() {
  const ended: unknown[] = [];
  const running = {
    cancelled: { invocationId: 'e-1', segment: 0, epoch: 1, runnerId: 'runner-1', lastSeq: null },
    session_uid: 'uid',
    published_seq: 0,
    last_seq: 0,
    next_id: null,
    next_epoch: null,
  };
  const query = async ({ name, values }: { readonly name: string; readonly values: readonly unknown[] }) => {
    const isDue = name === 'cancel-invocation' && values.at(-1) === true;
    if (isDue) ended.push(values[3]);
    if (isDue || name !== 'cancel-invocation') return { rows: [] };
    return { rows: [{ ...running, cancelled: { ...running.cancelled, invocationId: values[3] } }] };
  };
  const parts: Pick<CancellationParts, 'pool' | 'rpc' | 'logger'> = {
    pool: { query } as unknown as CancellationParts['pool'],
    rpc: { request: async () => ({}) } as unknown as CancellationParts['rpc'],
    logger: silentLogger,
  };
  // All of it that is used where a run is only asked to end.
  return { cancellation: new Cancellation(parts as CancellationParts), ended };
}

const aRequest = (invocationId: string) => ({ appName: 'app', userId: 'ada', sessionId: 's', invocationId });

describe('Cancellation', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('row 40: ends a run once that is cancelled again and again, and each run by itself', async () => {
    const { cancellation, ended } = aCancellation();
    // What it answers is read from the database, where this one has nothing.
    const cancel = (id: string) => cancellation.cancel(aRequest(id)).catch(() => undefined);

    for (const id of ['e-1', 'e-1', 'e-2', 'e-1']) await cancel(id);
    expect(jest.getTimerCount()).toBe(2);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(ended).toEqual(['e-1', 'e-2']);

    await cancel('e-1');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(ended).toEqual(['e-1', 'e-2', 'e-1']);
  });
});
