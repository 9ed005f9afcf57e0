import { silentLogger } from '@skein/platform';
import { PayloadCollection } from './payload-collection';
import { PayloadStore } from './payload-store';

const HOUR_MS = 60 * 60_000;

class CountingStore extends PayloadStore {
  collections = 0;
  collect: () => Promise<void> = async () => undefined;

  override put(): Promise<string> {
    throw new Error('not used');
  }

  override get(): Promise<Uint8Array> {
    throw new Error('not used');
  }

  override collectOld(): Promise<void> {
    this.collections += 1;
    return this.collect();
  }
}

describe('PayloadCollection', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('collects at its start and every hour, until it is stopped', async () => {
    const store = new CountingStore();
    const collection = new PayloadCollection(store, silentLogger);

    collection.start();
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    await collection.stop();
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);

    expect(store.collections).toBe(3);
  });

  it('goes on after a collection that failed, and says so', async () => {
    const store = new CountingStore();
    store.collect = () => Promise.reject(new Error('no disk'));
    const warn = jest.fn();
    const collection = new PayloadCollection(store, { ...silentLogger, warn });

    collection.start();
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    await collection.stop();

    expect(warn).toHaveBeenCalledTimes(2);
  });

  it('does not begin another while one runs, and stops after its end', async () => {
    const store = new CountingStore();
    let end: () => void = () => undefined;
    store.collect = () => new Promise((resolve) => (end = resolve));
    const collection = new PayloadCollection(store, silentLogger);

    collection.start();
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    const stopped = collection.stop();
    end();
    await stopped;

    expect(store.collections).toBe(1);
  });
});
