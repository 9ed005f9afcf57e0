import { AdkError } from './adk-error';
import { retryTransient } from './retry-transient';

const away = new AdkError('unavailable', 'test.away', 'nobody is there');
const HURRIED = { firstDelayMs: 1, maxDelayMs: 2 };

/** Work that fails so many times. */
function failing(times: number, error: Error = away) {
  let tries = 0;
  return {
    tries: () => tries,
    work: async (): Promise<string> => {
      if (++tries <= times) throw error;
      return 'done';
    },
  };
}

describe('retryTransient', () => {
  it.each([away, new AdkError('deadline', 'test.late', 'too late')])('asks again after %s', async (error) => {
    const { work, tries } = failing(3, error);

    expect([await retryTransient(work, HURRIED), tries()]).toEqual(['done', 4]);
  });

  it.each([new AdkError('conflict', 'test.no', 'no'), new Error('a bug')])(
    'takes %s for an answer',
    async (error) => {
      const { work, tries } = failing(1, error);

      await expect(retryTransient(work, HURRIED)).rejects.toBe(error);
      expect(tries()).toBe(1);
    },
  );

  it('gives up after so many tries', async () => {
    const { work, tries } = failing(Infinity);

    await expect(retryTransient(work, { ...HURRIED, attempts: 3 })).rejects.toBe(away);
    expect(tries()).toBe(3);
  });

  it('begins no try once the time is over, however few there were', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { work, tries } = failing(Infinity);
    const timed = async (): Promise<string> => {
      now.mockReturnValue(tries() * 4_000);
      return work();
    };

    await expect(retryTransient(timed, { ...HURRIED, withinMs: 8_000 })).rejects.toBe(away);
    expect(tries()).toBe(3);
    now.mockRestore();
  });

  it('ends with the reason of its signal, also in the middle of a pause', async () => {
    const controller = new AbortController();
    const reason = new Error('not wanted any more');
    const { work, tries } = failing(Infinity);

    const ended = retryTransient(work, {
      signal: controller.signal,
      firstDelayMs: 60_000,
      maxDelayMs: 60_000,
    });
    await Promise.resolve();
    controller.abort(reason);

    await expect(ended).rejects.toBe(reason);
    expect(tries()).toBe(1);
  });
});
