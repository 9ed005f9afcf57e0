import { setTimeout as delay } from 'node:timers/promises';
import { withinDeadline } from './within-deadline';

const DEADLINE = { ticks: 4, tickMs: 25 };

describe('a deadline of ticks', () => {
  it('tells work that hangs', async () => {
    const hangs = new Promise(() => undefined);

    await expect(withinDeadline(hangs, DEADLINE)).rejects.toThrow('no end after 4 ticks of 25 ms');
  });

  it('is not over for work that waits while the process is too busy for timers', async () => {
    const work = delay(1)
      .then(() => delay(1))
      .then(() => 'done');

    const done = withinDeadline(work, DEADLINE);
    beBusy(DEADLINE.ticks * DEADLINE.tickMs * 2);

    await expect(done).resolves.toBe('done');
  });

  it('passes on why work failed', async () => {
    await expect(withinDeadline(Promise.reject(new Error('why')), DEADLINE)).rejects.toThrow('why');
  });
});

function beBusy(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
