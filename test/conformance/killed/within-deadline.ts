export interface Deadline {
  readonly ticks: number;
  readonly tickMs: number;
}

const A_MINUTE: Deadline = { ticks: 60, tickMs: 1_000 };

/**
 * What the work answers; an error once the deadline is over, so that work that hangs is told as such. Only ticks that came
 * count: while the loop of events is held up, the timers that the work itself waits for do not come either.
 */
export async function withinDeadline<T>(work: Promise<T>, { ticks, tickMs } = A_MINUTE): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    let left = ticks;
    timer = setInterval(() => {
      left -= 1;
      if (left === 0) reject(new Error(`no end after ${ticks} ticks of ${tickMs} ms`));
    }, tickMs);
  });
  return Promise.race([work, late]).finally(() => clearInterval(timer));
}
