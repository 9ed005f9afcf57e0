import { playUnderGoogleAdk } from './play-under-google-adk';
import { inTime } from './in-time';

/** Resolves once no process has this id any more. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a case that does not end', () => {
  it('under @google/adk is named, and its process killed', async () => {
    const failed: unknown = await playUnderGoogleAdk({
      script: '__fixtures__/never-ends.mjs',
      deadlineMs: 2000,
    }).catch((error: unknown) => error);

    expect(failed).toMatchObject({
      message: expect.stringMatching(/stuck \(pid \d+\) did not end in 2000 ms/),
    });
    await gone(Number(/pid (\d+)/.exec((failed as Error).message)?.[1]));
  }, 20_000);

  it('is told of when none has begun', async () => {
    await expect(
      playUnderGoogleAdk({ script: '__fixtures__/never-begins.mjs', deadlineMs: 100 }),
    ).rejects.toThrow('the first case did not end in 100 ms');
  });

  it('under Skein is named', async () => {
    await expect(inTime(new Promise(() => undefined), 'endless', 10)).rejects.toThrow(
      'Under Skein, endless did not end in 10 ms.',
    );
    expect(await inTime(Promise.resolve(1), 'quick', 10)).toBe(1);
  });
});
