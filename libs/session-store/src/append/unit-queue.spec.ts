import { AdkError, type AppendUnit } from '@skein/contracts';
import { sessionKeyOf, UnitQueue } from './unit-queue';

function aUnit(appendNo: number, overrides: Partial<AppendUnit> = {}): AppendUnit {
  return {
    appName: 'app',
    userId: 'user',
    sessionId: 's',
    invocationId: 'e-1',
    runnerId: 'r',
    epoch: 1,
    segment: 0,
    appendNo,
    events: [],
    records: [],
    calls: [],
    appliedCalls: [],
    ...overrides,
  };
}

function numbers(queue: UnitQueue): number[][] {
  return queue.take().map((chain) => chain.map(({ appendNo }) => appendNo));
}

describe('the queue of units', () => {
  it('takes consecutive units of a session as one chain, whatever order they came in', () => {
    const queue = new UnitQueue(1_000, () => undefined);
    for (const no of [3, 1, 2]) void queue.add(aUnit(no));

    expect(numbers(queue)).toEqual([[1, 2, 3]]);
  });

  it('ends a chain at a gap and at a finish', () => {
    const queue = new UnitQueue(1_000, () => undefined);
    void queue.add(aUnit(1, { finish: { status: 'completed' } }));
    void queue.add(aUnit(2));
    void queue.add(aUnit(1, { sessionId: 'other' }));
    void queue.add(aUnit(3, { sessionId: 'other' }));

    expect(numbers(queue)).toEqual([[1], [1]]);
  });

  it('rejects with a unit what waits behind it under its claim, and nothing of the claim that was made beside a wrong guess', async () => {
    const queue = new UnitQueue(1_000, () => undefined);
    const settled: string[] = [];
    for (const [invocationId, no] of [
      ['guessed', 1],
      ['guessed', 2],
      ['claimed', 1],
      ['claimed', 2],
    ] as const) {
      const unit = aUnit(no, { invocationId });
      queue.add(unit).catch(() => settled.push(`${invocationId} ${no}`));
      if (invocationId === 'guessed' && no === 1) queue.take();
    }
    const [guessed] = [aUnit(1, { invocationId: 'guessed' })];

    queue.reject(guessed, new AdkError('conflict', 'append.fenced', 'It is not.'));
    await Promise.resolve();

    expect(settled).toEqual(['guessed 2']);
    queue.done(sessionKeyOf(guessed));
    expect(numbers(queue)).toEqual([[1, 2]]);
  });

  it('takes nothing more of a session while a chain of it is under way', () => {
    const queue = new UnitQueue(1_000, () => undefined);
    void queue.add(aUnit(1));
    queue.take();
    void queue.add(aUnit(2));

    expect(numbers(queue)).toEqual([]);
    queue.done(sessionKeyOf({ appName: 'app', userId: 'user', sessionId: 's' }));
    expect(numbers(queue)).toEqual([[2]]);
  });
});
