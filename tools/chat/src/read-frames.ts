import { createParser } from 'eventsource-parser';
import { wireFrame, type WireFrame } from './wire-event';

/** The frames of an SSE body, in order, as they come. Comments and heartbeats are left out. */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<WireFrame> {
  const decoder = new TextDecoder();
  let arrived: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => arrived.push(data) });
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const frames = arrived;
    arrived = [];
    for (const data of frames) yield wireFrame.parse(JSON.parse(data));
  }
}
