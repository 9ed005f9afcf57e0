import { delayP99Ms, processFigures, slope } from './process-figures';

describe('what a soak tells of a process', () => {
  it('is flat where memory goes up and down but does not grow', () => {
    expect(slope([0, 1, 2, 3], [10, 12, 12, 10])).toBe(0);
  });

  it('grows by what memory grows', () => {
    expect(slope([0, 10, 20], [100, 105, 110])).toBe(0.5);
  });

  it('counts only the delays between two looks', () => {
    const before = new Map([
      [0.001, 50],
      [0.005, 50],
      [Infinity, 100],
    ]);
    const after = new Map([
      [0.001, 140],
      [0.005, 150],
      [Infinity, 200],
    ]);

    expect(delayP99Ms(before, after)).toBe(5);
  });

  it('compares the halves, and says of PostgreSQL nothing of an event loop', () => {
    const looks = {
      atMs: [0, 3_600_000, 7_200_000, 10_800_000],
      residentKib: [100, 100, 200, 300],
      lags: [],
    };

    expect(processFigures(new Map([['postgres', looks]]))).toEqual({
      'residentKibFirst postgres': 100,
      'residentKibLast postgres': 300,
      'residentKibPerHour postgres': 100,
    });
  });
});
