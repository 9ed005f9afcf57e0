import { AtRest } from './at-rest';

describe('what is done at rest', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is done once nothing was begun for so long, and again after what comes later', async () => {
    const work = jest.fn();
    const atRest = new AtRest(1_000, work);

    await atRest.during(async () => 'first');
    jest.advanceTimersByTime(999);
    await atRest.during(async () => 'second');
    jest.advanceTimersByTime(999);
    expect(work).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledTimes(1);

    await expect(atRest.during(async () => Promise.reject(new Error('third')))).rejects.toThrow('third');
    jest.advanceTimersByTime(1_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('waits for what takes longer than that', async () => {
    const work = jest.fn();
    const atRest = new AtRest(1_000, work);

    await atRest.during(async () => jest.advanceTimersByTime(5_000));

    expect(work).not.toHaveBeenCalled();
  });
});
