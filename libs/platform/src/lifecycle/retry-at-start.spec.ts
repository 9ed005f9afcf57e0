import { AdkError } from '@skein/contracts';
import { silentLogger } from '../logging/logger';
import { retryAtStart } from './retry-at-start';

const options = {
  what: 'PostgreSQL',
  where: 'postgres://ann:hunter2@db:5432/skein',
  logger: silentLogger,
  firstDelayMs: 1,
  maxDelayMs: 1,
};

describe('retryAtStart', () => {
  it('answers once the attempt succeeds', async () => {
    let tried = 0;
    const attempt = async (): Promise<number> => {
      if (++tried < 3) throw new Error('not yet');
      return tried;
    };

    expect(await retryAtStart({ ...options, attempt })).toBe(3);
  });

  it('names what was away, where, why and how often it was tried, without the password', async () => {
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });

    const failure = retryAtStart({ ...options, attempts: 2, attempt: async () => Promise.reject(refused) });

    await expect(failure).rejects.toThrow(
      'PostgreSQL at postgres://***@db:5432/skein cannot be used: ECONNREFUSED (tried 2 times)',
    );
  });

  it('does not repeat what is hopeless', async () => {
    const attempt = jest.fn(async () => Promise.reject(new Error('password is wrong')));

    const failure = retryAtStart({ ...options, attempt, isRetryable: () => false });

    await expect(failure).rejects.toThrow(/password is wrong$/);
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('hands on a hopeless error that has its own code', async () => {
    const conflict = new AdkError('conflict', 'messaging.stream-conflict', 'differs');

    const failure = retryAtStart({
      ...options,
      attempt: async () => Promise.reject(conflict),
      isRetryable: (error) => !AdkError.isInstance(error),
    });

    await expect(failure).rejects.toBe(conflict);
  });
});
