import { fakeResponse } from '../../test/fake-response';
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

  it('does not wait for a client that is gone', async () => {
    const { stream, client } = open();
    client.pause();
    client.destroy();

    await expect(stream.write(`data: ${'x'.repeat(100_000)}\n\n`)).resolves.toBeUndefined();
    stream.end();
  });

  it('writes nothing after its end', async () => {
    const { stream, chunks } = open();

    stream.end(1000);
    await stream.write('data: 1\n\n');
    stream.end();

    expect(chunks).toEqual(['retry: 1000\n\n']);
  });
});

function open() {
  const { response, client, chunks } = fakeResponse();
  const left = new AbortController();
  return { stream: new SseStream(response, left.signal), client, chunks, left };
}
