import { once } from 'node:events';
import { fakeResponse, sseOptions } from '../../test/fake-response';
import { SseStream } from './sse-stream';

describe('SseStream', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('pings every 15 s in a chunk of its own, until it ends', async () => {
    const { stream, chunks } = open();

    await stream.write('data: 1\n\n');
    jest.advanceTimersByTime(30_000);
    stream.end();
    jest.advanceTimersByTime(60_000);

    expect(chunks).toEqual(['data: 1\n\n', ': ping\n\n', ': ping\n\n']);
  });

  it('waits for a client that does not read, and no longer than it is there', async () => {
    const { stream, client, left } = open();
    client.pause();
    const frame = `data: ${'x'.repeat(100_000)}\n\n`;
    let isWritten = false;

    const written = stream.write(frame).then(() => (isWritten = true));
    await Promise.resolve();
    expect(isWritten).toBe(false);
    client.resume();
    await written;
    client.pause();
    const unread = stream.write(frame);
    left.abort();

    await expect(unread).rejects.toThrow('aborted');
  });

  it('sends a client away that does not read in time, for good after another such time', async () => {
    jest.useRealTimers();
    let slow = 0;
    const { stream, client, chunks } = open({ heartbeatMs: 10, stallMs: 50, onSlowClient: () => slow++ });
    client.pause();

    const written = stream.write(`data: ${'x'.repeat(100_000)}\n\n`);
    await expect(written).rejects.toMatchObject({ code: 'stream.slow-client' });
    const closed = once(client, 'close');
    await stream.write('data: 2\n\n');
    await closed;

    // Nothing was heaped up for it meanwhile, pings neither.
    expect(slow).toBe(1);
    expect(client.destroyed).toBe(true);
    expect(chunks.join('')).not.toContain('ping');
  });

  it('does not wait for a client that is gone', async () => {
    const { stream, client } = open();
    client.pause();
    client.destroy();

    await expect(stream.write(`data: ${'x'.repeat(100_000)}\n\n`)).resolves.toBeUndefined();
    stream.end();
  });

  it('writes nothing after its end', async () => {
    const { stream, chunks } = open();

    stream.interrupt();
    await stream.write('data: 1\n\n');
    stream.end();

    expect(chunks).toEqual(['retry: 1000\n\n']);
  });
});

function open(options = sseOptions) {
  const { response, client, chunks } = fakeResponse();
  const left = new AbortController();
  return { stream: new SseStream(response, left.signal, options), client, chunks, left };
}
