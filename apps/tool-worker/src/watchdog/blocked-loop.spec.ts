import { BlockedLoop } from './blocked-loop';

const TICK_MS = 250;

/** Ticks without a word from the loop; answers after how many milliseconds it was too long, if it was. */
function silence(loop: BlockedLoop, forMs: number): number | undefined {
  for (let ms = TICK_MS; ms <= forMs; ms += TICK_MS) if (loop.tick(TICK_MS)) return ms;
  return undefined;
}

const begun = (id: number, timeoutMs: number) =>
  ({ type: 'begun', id, call: { dispatchId: `d-${id}`, tool: `t${id}` }, timeoutMs }) as const;

describe('a loop that is watched', () => {
  it('may be blocked as long as a call may take that runs in it, and the time of its ack', () => {
    const loop = new BlockedLoop(30_000);
    loop.hear(begun(1, 20_000));

    expect(silence(loop, 50_000)).toBeUndefined();
    expect(loop.tick(TICK_MS)).toEqual({ blockedMs: 50_250, calls: [{ dispatchId: 'd-1', tool: 't1' }] });
  });

  it('is given the time of the longest call, since nobody knows which one blocks it', () => {
    const loop = new BlockedLoop(1_000);
    loop.hear(begun(1, 500));
    loop.hear(begun(2, 20_000));

    expect(silence(loop, 40_000)).toBe(30_250);
  });

  it('is not blocked while it beats, however late a call is that was left behind', () => {
    const loop = new BlockedLoop(1_000);
    loop.hear(begun(1, 500));
    for (let beat = 0; beat < 100; beat++) {
      expect(loop.tick(TICK_MS)).toBeUndefined();
      loop.hear({ type: 'beat' });
    }

    expect(silence(loop, 20_000)).toBe(10_250);
  });

  it('is blocked too long after its ack time, and 10 s at least, when nothing runs in it', () => {
    const loop = new BlockedLoop(1_000);
    loop.hear(begun(1, 20_000));
    loop.hear({ type: 'over', id: 1 });

    expect(silence(loop, 20_000)).toBe(10_250);
  });

  it('is not watched before its first call: no tool blocks a worker that starts', () => {
    const loop = new BlockedLoop(1_000);
    loop.hear({ type: 'beat' });

    expect(silence(loop, 60_000)).toBeUndefined();
    loop.hear(begun(1, 500));
    expect(silence(loop, 20_000)).toBe(10_750);
  });

  it('row 8: is not blamed for the time in which the whole process was stopped', () => {
    const loop = new BlockedLoop(1_000);

    expect(loop.tick(60_000)).toBeUndefined();
    loop.hear({ type: 'beat' });
    expect(loop.tick(TICK_MS)).toBeUndefined();
  });
});
