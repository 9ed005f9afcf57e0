import { WatchedStream } from './watched-stream';

function watched(source: () => AsyncGenerator<number, void>) {
  const seen: string[] = [];
  const stream = new WatchedStream<number>({
    start: () => {
      seen.push('start');
      return source();
    },
    ended: () => seen.push('end'),
    failed: (error) => {
      seen.push('failure');
      throw error;
    },
  });
  return { stream, seen };
}

async function* oneAndTwo() {
  yield 1;
  yield 2;
}

async function* oneAndFailure() {
  yield 1;
  throw new Error('lost');
}

describe('a watched stream', () => {
  it('begins with its first step, and tells once that it is over', async () => {
    const { stream, seen } = watched(oneAndTwo);
    expect(seen).toEqual([]);

    const steps: number[] = [];
    for await (const step of stream) steps.push(step);

    expect(steps).toEqual([1, 2]);
    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
    expect(seen).toEqual(['start', 'end']);
  });

  it('tells of what it throws, and throws it on', async () => {
    const { stream, seen } = watched(oneAndFailure);

    await stream.next();
    await expect(stream.next()).rejects.toThrow('lost');

    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
    expect(seen).toEqual(['start', 'failure']);
  });

  it('gives a last step in the place of what was thrown', async () => {
    const stream = new WatchedStream<number>({
      start: oneAndFailure,
      failed: async () => ({ done: false, value: 2 }),
    });

    const steps: number[] = [];
    for await (const step of stream) steps.push(step);

    expect(steps).toEqual([1, 2]);
  });

  it('ends what it hands on when its reader leaves it', async () => {
    let isClosed = false;
    const { stream, seen } = watched(async function* () {
      try {
        yield 1;
        yield 2;
      } finally {
        isClosed = true;
      }
    });

    for await (const _step of stream) break;

    expect(isClosed).toBe(true);
    expect(seen).toEqual(['start', 'end']);
  });

  it('begins nothing for a reader that leaves before its first step', async () => {
    const { stream, seen } = watched(oneAndTwo);

    await stream.return();

    await expect(stream.next()).resolves.toEqual({ done: true, value: undefined });
    expect(seen).toEqual([]);
  });

  it('hands on what its reader throws into it', async () => {
    const { stream, seen } = watched(oneAndTwo);

    await stream.next();
    await expect(stream.throw(new Error('refused'))).rejects.toThrow('refused');

    expect(seen).toEqual(['start', 'failure']);
  });
});
