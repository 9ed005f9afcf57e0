import { type ToolResultMessage, type WorkReply } from '@skein/contracts';
import { readUnappliedResults, type StorePool } from '@skein/session-store';
import { WaitingResults } from './waiting-results';

const forwarded: string[] = [];
jest.mock('@skein/session-store', () => ({
  readUnappliedResults: jest.fn(),
  markForwarded: async (_pool: unknown, dispatchId: string) => void forwarded.push(dispatchId),
}));

const read = jest.mocked(readUnappliedResults);

/** Results in the order of their ids, two to a page; those that were forwarded are gone. */
function theseWait(...ids: readonly string[]): void {
  read.mockImplementation(async (_pool, { after } = {}) => {
    const left = ids.filter((id) => !forwarded.includes(id) && id > (after?.dispatchId ?? ''));
    const page = left.slice(0, 2);
    const last = page.at(-1);
    return {
      results: page.map((dispatchId) => ({
        runnerId: dispatchId,
        result: { ticket: { dispatchId } } as ToolResultMessage,
      })),
      next: last === undefined ? undefined : { sentAt: '', dispatchId: last },
    };
  });
}

/** Owners of results whose id begins with `dead` say nothing for a second. */
async function ask(runnerId: string): Promise<WorkReply> {
  if (!runnerId.startsWith('dead')) return { disposition: 'applied', epoch: 1 };
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return { disposition: 'unknown' };
}

describe('WaitingResults', () => {
  const aLook = async (results: WaitingResults, signal = new AbortController().signal): Promise<void> => {
    const looked = results.forward(signal);
    await jest.advanceTimersByTimeAsync(10_000);
    await looked;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    forwarded.length = 0;
  });
  afterEach(() => jest.useRealTimers());

  it('are all given in one look while their owners answer', async () => {
    theseWait('a', 'b', 'c', 'd', 'e');

    await aLook(new WaitingResults({ pool: {} as StorePool, forwarder: { ask } }));

    expect(forwarded).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('have their turn behind any number that nobody takes, and those are asked again', async () => {
    theseWait('dead-1', 'dead-2', 'dead-3', 'dead-4', 'lives');
    const results = new WaitingResults({ pool: {} as StorePool, forwarder: { ask } });

    await aLook(results);
    expect(forwarded).toEqual([]);
    await aLook(results);
    await aLook(results);
    expect(forwarded).toEqual(['lives']);

    await aLook(results);
    await aLook(results);
    expect(read.mock.calls.at(-1)).toEqual([{}, { after: { sentAt: '', dispatchId: 'dead-2' } }]);
  });

  it('are left to the next process once this one stops', async () => {
    theseWait('a', 'b', 'c');

    await aLook(new WaitingResults({ pool: {} as StorePool, forwarder: { ask } }), AbortSignal.abort());

    expect(forwarded).toEqual(['a', 'b']);
  });
});
