import { ToolList } from './tool-list';

describe('the list of a server’s tools', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function aList(): { list: ToolList<string>; asked: () => number; get: () => Promise<readonly string[]> } {
    const list = new ToolList<string>({ cacheMs: 60_000, maxLists: 2 });
    const ask = jest.fn(async () => ['a']);
    return { list, asked: () => ask.mock.calls.length, get: () => list.get('k', ask) };
  }

  it('is asked for once by all who ask at the same time, and again after its time', async () => {
    const { asked, get } = aList();

    await Promise.all([get(), get(), get()]);
    jest.advanceTimersByTime(59_000);
    await get();
    expect(asked()).toBe(1);
    jest.advanceTimersByTime(2_000);
    await get();

    expect(asked()).toBe(2);
  });

  it('is asked for again once it is dropped', async () => {
    const { list, asked, get } = aList();

    await get();
    list.drop('k');
    await get();

    expect(asked()).toBe(2);
  });

  it('is asked for anew by who misses something in it, and by many of them once a second', async () => {
    const { list, asked, get } = aList();

    await get();
    list.refresh();
    await get();
    expect(asked()).toBe(1);
    jest.advanceTimersByTime(1_000);
    list.refresh();
    await get();

    expect(asked()).toBe(2);
  });

  it('that could not be had is asked for again after as long as that took, and a second at least', async () => {
    const { list } = aList();
    const ask = jest.fn(async (): Promise<string[]> => {
      jest.advanceTimersByTime(30_000);
      throw new Error('away');
    });

    await expect(list.get('k', ask)).rejects.toThrow('away');
    jest.advanceTimersByTime(29_000);
    await expect(list.get('k', ask)).rejects.toThrow('away');
    expect(ask).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(2_000);
    await expect(list.get('k', ask)).rejects.toThrow('away');

    expect(ask).toHaveBeenCalledTimes(2);
  });
});
