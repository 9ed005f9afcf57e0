import { createServer } from 'node:net';
import { once } from 'node:events';
import { freePort, onFreePort } from './free-port';

describe('a free port', () => {
  it('is none that the system gives to outgoing connections', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const port = await freePort();
      expect(port).toBeGreaterThanOrEqual(10_000);
      expect(port).toBeLessThan(32_768);
    }
  });

  it('is another when one was quicker to take it', async () => {
    const asked: number[] = [];
    const holder = createServer();
    try {
      const got = await onFreePort(undefined, async (port) => {
        asked.push(port);
        if (asked.length > 1) return port;
        holder.listen(port, '127.0.0.1');
        await once(holder, 'listening');
        throw new Error('taken');
      });
      expect(asked).toHaveLength(2);
      expect(got).not.toBe(asked[0]);
    } finally {
      holder.close();
    }
  });
});
