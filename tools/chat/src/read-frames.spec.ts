import { readFrames, type Received } from './read-frames';

async function framesOf(text: string, chunkSize: number): Promise<readonly Received[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const frames: Received[] = [];
  for await (const frame of readFrames(chunks())) frames.push(frame);
  return frames;
}

describe('readFrames', () => {
  it.each([1, 3, 1_000])('reads frames that come in chunks of %d bytes', async (chunkSize) => {
    const text =
      ': ping\n\ndata: {"id":"1","content":{"parts":[{"text":"schön"}]}}\n\nid: 7\ndata: {"id":"2"}\n\n';

    const frames = await framesOf(text, chunkSize);

    expect(frames).toEqual([
      { id: undefined, frame: { id: '1', content: { parts: [{ text: 'schön' }] } } },
      { id: '7', frame: { id: '2' } },
    ]);
  });

  it.each([{ error: 'ValueError: no' }, { reset: 'e1' }])('tells %j from an event', async (frame) => {
    expect(await framesOf(`data: ${JSON.stringify(frame)}\n\n`, 100)).toEqual([{ id: undefined, frame }]);
  });

  it('tells that the client is to come back', async () => {
    expect(await framesOf('id: 7\ndata: {}\n\nretry: 1000\n\n', 100)).toEqual([
      { id: '7', frame: {} },
      'come back',
    ]);
  });

  it('says of what is no event that it is none', async () => {
    await expect(framesOf('data: <html>\n\n', 100)).rejects.toThrow('sent what is no event: <html>');
  });
});
