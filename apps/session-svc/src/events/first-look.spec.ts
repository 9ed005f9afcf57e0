import { silentLogger } from '@skein/platform';
import { firstLook } from './first-look';

const options = { where: 'nats://localhost:4222', logger: silentLogger, firstDelayMs: 1 };

describe('firstLook', () => {
  it('is taken again while JetStream or Postgres is not there yet', async () => {
    let looks = 0;
    const look = async (): Promise<void> => {
      looks += 1;
      if (looks < 3) throw new Error('no stream leader');
    };

    await firstLook({ look }, options);

    expect(looks).toBe(3);
  });

  it('ends the start with a sentence when they stay away', async () => {
    const look = () => Promise.reject(new Error('no stream leader'));

    await expect(firstLook({ look }, { ...options, attempts: 2 })).rejects.toMatchObject({
      code: 'start.unavailable',
      message: 'The streams at nats://localhost:4222 cannot be used: no stream leader (tried 2 times)',
    });
  });
});
