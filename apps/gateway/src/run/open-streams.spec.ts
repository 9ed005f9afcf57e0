import { fakeResponse, sseOptions } from '../../test/fake-response';
import { OpenStreams } from './open-streams';

describe('OpenStreams', () => {
  const signal = new AbortController().signal;

  it('ends what is open with the time to come back after', async () => {
    const streams = new OpenStreams(sseOptions);
    const { response, chunks } = fakeResponse();
    let finish: () => void = () => undefined;

    const shown = streams.during(response, signal, () => new Promise((resolve) => (finish = resolve)));
    expect(streams.count).toBe(1);
    streams.endAll();
    finish();
    await shown;

    expect(chunks).toEqual(['retry: 1000\n\n']);
    expect(streams.count).toBe(0);
  });

  it('ends what opens after the end began', async () => {
    const streams = new OpenStreams(sseOptions);
    const { response, chunks } = fakeResponse();
    streams.endAll();

    await streams.during(response, signal, (stream) => stream.write('data: 1\n\n'));

    expect(chunks).toEqual(['retry: 1000\n\n']);
  });

  it('forgets the stream of a client that had left before it was opened', async () => {
    const streams = new OpenStreams(sseOptions);
    const { response, leave } = fakeResponse();
    leave();

    await streams.during(response, signal, (stream) => stream.write('data: 1\n\n'));

    expect(streams.count).toBe(0);
  });

  it('forgets a stream that fails, and ends it', async () => {
    const streams = new OpenStreams(sseOptions);
    const { response } = fakeResponse();

    const shown = streams.during(response, signal, () => Promise.reject(new Error('broken')));

    await expect(shown).rejects.toThrow('broken');
    expect([streams.count, response.writableEnded]).toEqual([0, true]);
  });
});
