import { type Hold, LaneLimiter } from './lane-limiter';
import { type Permit } from './rate-limiter';

const refused = (retryAfterMs?: number) => ({ kind: 'overloaded', retryAfterMs }) as const;
const answered = { kind: 'answered' } as const;

describe('LaneLimiter', () => {
  let holds: Hold[];
  let lane: LaneLimiter;
  let under: Permit[];

  beforeEach(() => {
    jest.useFakeTimers();
    holds = [];
    under = [];
    lane = new LaneLimiter((hold) => holds.push(hold));
  });
  afterEach(() => jest.useRealTimers());

  const enter = (maxHoldMs = 60_000, signal = new AbortController().signal) =>
    lane.enter('m', { signal, maxHoldMs });

  /** So many want to ask; those that may are put into `under`. */
  async function ask(count: number): Promise<void> {
    for (let n = 0; n < count; n++) void enter().then((permit) => under.push(permit));
    await jest.advanceTimersByTimeAsync(0);
  }

  it('lets everybody ask until the provider is overloaded', async () => {
    await ask(100);

    expect(under).toHaveLength(100);
  });

  it('lets nobody ask before the provider wants it', async () => {
    await ask(1);
    under.pop()?.end(refused(3_000));
    await ask(5);

    await jest.advanceTimersByTimeAsync(2_999);
    expect(under).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(under).toHaveLength(1);
  });

  it('lets one ask first, and the others once the provider answers it', async () => {
    await ask(20);
    for (const permit of under.splice(0)) permit.end(refused(1_000));
    await ask(20);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(under).toHaveLength(1);

    under[0]?.accepted();
    await jest.advanceTimersByTimeAsync(0);

    // Half of the twenty that were too many.
    expect(under).toHaveLength(10);
  });

  it('holds again when that one is refused, without asking less for it afterwards', async () => {
    await ask(20);
    for (const permit of under.splice(0)) permit.end(refused(1_000));
    await ask(20);
    for (let again = 0; again < 3; again++) {
      await jest.advanceTimersByTimeAsync(1_000);
      expect(under).toHaveLength(1);
      under.pop()?.end(refused(1_000));
    }
    await jest.advanceTimersByTimeAsync(1_000);

    under[0]?.accepted();
    await jest.advanceTimersByTimeAsync(0);

    expect(under).toHaveLength(10);
  });

  it('takes the one that went first for accepted when it is not refused soon', async () => {
    await ask(4);
    for (const permit of under.splice(0)) permit.end(refused(1_000));
    await ask(4);

    await jest.advanceTimersByTimeAsync(2_999);
    expect(under).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(under).toHaveLength(2);
  });

  it.each(['failed', 'abandoned'] as const)('lets another go first when the first one %s', async (kind) => {
    await ask(2);
    for (const permit of under.splice(0)) permit.end(refused(1_000));
    await ask(3);
    await jest.advanceTimersByTimeAsync(1_000);

    under.pop()?.end({ kind });
    await jest.advanceTimersByTimeAsync(0);

    expect(under).toHaveLength(1);
  });

  it('has more under way with each round of answers, and no limit after a while', async () => {
    await ask(4);
    for (const permit of under.splice(0)) permit.end(refused(1_000));
    await ask(30);
    await jest.advanceTimersByTimeAsync(1_000);
    under[0]?.accepted();
    await jest.advanceTimersByTimeAsync(0);
    expect(under).toHaveLength(2);

    for (const permit of under.splice(0)) permit.end(answered);
    await jest.advanceTimersByTimeAsync(0);
    for (const permit of under.splice(0)) permit.end(answered);
    await jest.advanceTimersByTimeAsync(0);
    expect(under).toHaveLength(3);

    await jest.advanceTimersByTimeAsync(300_001);
    await ask(1);
    // What still waited, and the one that came last.
    expect(under).toHaveLength(27);
  });

  it('holds longer each time where the provider does not say how long', async () => {
    for (const atMostMs of [625, 1_250, 2_500]) {
      await ask(1);
      // Less than what would show that it was accepted.
      await jest.advanceTimersByTimeAsync(atMostMs);
      under.pop()?.end(refused());
      expect(holds.at(-1)?.holdMs).toBeLessThanOrEqual(atMostMs);
      expect(holds.at(-1)?.holdMs).toBeGreaterThan(atMostMs / 2);
    }
  });

  it('tells of one hold once, and of another when a later refusal asks for more', async () => {
    await ask(10);
    for (const permit of under.splice(0, 9)) permit.end(refused(1_000));
    expect(holds).toEqual([{ holdMs: 1_000, limit: 5 }]);

    under.pop()?.end(refused(9_000));

    expect(holds.map(({ holdMs }) => holdMs)).toEqual([1_000, 9_000]);
  });

  it('holds for what another process heard, with its limit', async () => {
    lane.hear({ holdMs: 1_000, limit: 3 });
    await ask(9);
    expect(under).toHaveLength(0);

    await jest.advanceTimersByTimeAsync(1_000);
    expect(under).toHaveLength(1);
    under[0]?.accepted();
    await jest.advanceTimersByTimeAsync(0);

    expect(under).toHaveLength(3);
    expect(holds).toEqual([]);
  });

  it('turns away who would have to wait longer than it may, also when the hold becomes that long', async () => {
    lane.hear({ holdMs: 1_000, limit: undefined });
    await expect(enter(500)).rejects.toMatchObject({ code: 'model.held-back', retryAfterMs: 1_000 });
    const waiting = enter(5_000);
    const turnedAway = expect(waiting).rejects.toMatchObject({ code: 'model.held-back' });

    lane.hear({ holdMs: 9_000, limit: undefined });

    await turnedAway;
    expect(lane.waiting).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('asks again after ten minutes, whoever wants the provider to be left alone for longer', async () => {
    await ask(1);
    under.pop()?.end(refused(1e15));
    lane.hear({ holdMs: 1e15, limit: undefined });

    await expect(enter()).rejects.toMatchObject({ retryAfterMs: 600_000 });
    expect(holds).toEqual([{ holdMs: 600_000, limit: 1 }]);
  });

  it('forgets who stopped waiting', async () => {
    const controller = new AbortController();
    lane.hear({ holdMs: 1_000, limit: undefined });
    const waiting = enter(5_000, controller.signal);
    const left = expect(waiting).rejects.toThrow('cancelled');

    controller.abort(new Error('cancelled'));

    await left;
    expect(lane.waiting).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(lane.isIdle).toBe(true);
  });
});
