import { silentLogger } from '../logging/logger';
import { Shutdown } from './shutdown';

describe('Shutdown', () => {
  it('runs its steps in order, once, whoever asks', async () => {
    const shutdown = new Shutdown(silentLogger);
    const order: string[] = [];
    shutdown.step('first', async () => {
      await Promise.resolve();
      order.push('first');
    });
    shutdown.step('second', () => order.push('second'));

    await Promise.all([shutdown.run(), shutdown.run()]);

    expect(order).toEqual(['first', 'second']);
    expect(shutdown.hasBegun).toBe(true);
  });

  it('goes on after a step that throws, rejects or is late', async () => {
    const shutdown = new Shutdown(silentLogger);
    const last = jest.fn();
    shutdown.step('throws', () => {
      throw new Error('no');
    });
    shutdown.step('rejects', async () => Promise.reject(new Error('no')));
    shutdown.step('is late', () => new Promise(() => undefined), 1);
    shutdown.step('last', last);

    await shutdown.run();

    expect(last).toHaveBeenCalledTimes(1);
  });

  it('ends within its grace, however long its steps may take each, and begins every one of them', async () => {
    const shutdown = new Shutdown(silentLogger, 2_050);
    const begun: string[] = [];
    for (const name of ['hangs', 'hangs too', 'last']) {
      const hang = () => {
        begun.push(name);
        return new Promise(() => undefined);
      };
      shutdown.step(name, hang, 60_000);
    }
    const startedAtMs = performance.now();

    await shutdown.run();

    expect(begun).toEqual(['hangs', 'hangs too', 'last']);
    expect(performance.now() - startedAtMs).toBeLessThan(2_050);
  });
});
