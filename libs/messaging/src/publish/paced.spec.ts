import { Paced } from './paced';

describe('Paced', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('sends at once, then the latest of what came in between, once in each interval', () => {
    const sent: number[] = [];
    const paced = new Paced<number>(50, (value) => sent.push(value));

    for (let n = 0; n < 100; n++) paced.offer(n);
    expect(sent).toEqual([0]);
    jest.advanceTimersByTime(50);
    expect(sent).toEqual([0, 99]);
    paced.offer(100);
    jest.advanceTimersByTime(49);
    expect(sent).toEqual([0, 99]);
    jest.advanceTimersByTime(1);
    expect(sent).toEqual([0, 99, 100]);
  });

  it('sends nothing more once it is closed', () => {
    const sent: number[] = [];
    const paced = new Paced<number>(50, (value) => sent.push(value));

    paced.offer(1);
    paced.offer(2);
    paced.close();
    paced.offer(3);
    jest.advanceTimersByTime(1_000);

    expect(sent).toEqual([1]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
