import { decideRestart } from './restart-policy';

describe('decideRestart', () => {
  it('doubles the delay with each restart in the last minute', () => {
    const delays = [[], [0], [0, 1], [0, 1, 2], [0, 1, 2, 3]].map((restartedAt) =>
      decideRestart(restartedAt, 10),
    );

    expect(delays).toEqual([100, 200, 400, 800, 1_600].map((delayMs) => ({ kind: 'restart', delayMs })));
  });

  it('gives up at the sixth death in a minute', () => {
    expect(decideRestart([0, 1, 2, 3, 4], 59_999)).toEqual({ kind: 'give-up' });
  });

  it('forgets restarts older than a minute', () => {
    expect(decideRestart([0, 1, 2, 3, 4], 70_000)).toEqual({ kind: 'restart', delayMs: 100 });
  });
});
