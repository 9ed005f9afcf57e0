import { readFrames } from './read-frames';
import type { WireFrame } from './wire-event';

async function framesOf(text: string, chunkSize: number): Promise<readonly WireFrame[]> {
  const bytes = Buffer.from(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const frames: WireFrame[] = [];
  for await (const frame of readFrames(chunks())) frames.push(frame);
  return frames;
}

describe('readFrames', () => {
  it.each([1, 3, 1_000])('reads frames that come in chunks of %d bytes', async (chunkSize) => {
    const text =
      ': ping\n\ndata: {"id":"1","content":{"parts":[{"text":"schön"}]}}\n\nid: 7\ndata: {"id":"2"}\n\n';

    const frames = await framesOf(text, chunkSize);

    expect(frames).toEqual([{ id: '1', content: { parts: [{ text: 'schön' }] } }, { id: '2' }]);
  });

  it('tells an error frame from an event', async () => {
    expect(await framesOf('data: {"error":"ValueError: no"}\n\n', 100)).toEqual([
      { error: 'ValueError: no' },
    ]);
  });
});
