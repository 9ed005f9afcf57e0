import { IdleSubscriptions } from './idle-subscriptions';

describe('the sessions that nobody reads', () => {
  let forgotten: string[];
  let idle: IdleSubscriptions;
  beforeEach(() => {
    jest.useFakeTimers();
    forgotten = [];
    idle = new IdleSubscriptions((name) => forgotten.push(name));
  });
  afterEach(() => jest.useRealTimers());

  it('are forgotten some seconds later', () => {
    idle.add('a');
    jest.advanceTimersByTime(4_999);
    expect(forgotten).toEqual([]);

    jest.advanceTimersByTime(5_001);
    expect(forgotten).toEqual(['a']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('are kept by being read again', () => {
    idle.add('a');
    idle.add('b');
    idle.delete('a');

    jest.advanceTimersByTime(10_000);

    expect(forgotten).toEqual(['b']);
  });

  it('are a thousand at most: the longest is forgotten for another', () => {
    for (let n = 0; n < 1_001; n++) idle.add(`session-${n}`);

    expect(forgotten).toEqual(['session-0']);
  });
});
