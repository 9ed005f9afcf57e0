import { createParser } from 'eventsource-parser';
import { ChatError, PassingError } from './chat-error';
import { wireFrame, type WireFrame } from './wire-event';

/** A frame, with the id of the stream behind it where it has one; or the wish that the client comes back. */
export type Received = { readonly id: string | undefined; readonly frame: WireFrame } | 'come back';

/** The frames of an SSE body, in order, as they come. Comments and heartbeats are left out. */
export async function* readFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Received> {
  const decoder = new TextDecoder();
  let arrived: Received[] = [];
  const parser = createParser({
    onEvent: ({ id, data }) => arrived.push({ id, frame: parseFrame(data) }),
    onRetry: () => arrived.push('come back'),
  });
  for await (const chunk of unlessBroken(body)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const received = arrived;
    arrived = [];
    yield* received;
  }
}

async function* unlessBroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new PassingError('The answer broke off in the middle', { cause });
  }
}

function parseFrame(data: string): WireFrame {
  try {
    return wireFrame.parse(JSON.parse(data));
  } catch (cause) {
    throw new ChatError(`The server sent what is no event: ${data.slice(0, 200)}`, { cause });
  }
}
