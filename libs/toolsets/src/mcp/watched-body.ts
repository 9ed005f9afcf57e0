import { MessageMeter } from './message-meter';

export interface BodyWatch {
  /** The most bytes of one message. */
  readonly maxMessageBytes: number;
  /** Of a stream of events each is a message; any other body is one as a whole. */
  readonly isEvents: boolean;
  /** Called once, when no more comes. */
  readonly onEnd: (end: BodyEnd) => void;
}

export interface BodyEnd {
  /** The server numbered its events, and may give the rest of them to who asks. */
  readonly isResumable: boolean;
  readonly error?: unknown;
}

/** The same bytes, until one message among them is too large: the reader then gets `mcp.too-large`. */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  { maxMessageBytes, isEvents, onEnd }: BodyWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const meter = new MessageMeter(maxMessageBytes, isEvents);
  let isResumable = false;
  let hasEnded = false;
  const end = (error?: unknown): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd({ isResumable, error });
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          end();
          controller.close();
          return;
        }
        meter.pass(value);
        isResumable ||= /(^|\n)id:/.test(Buffer.from(value).toString('latin1'));
        controller.enqueue(value);
      } catch (error) {
        // What broke by itself cannot be given up any more.
        await reader.cancel(error).catch(() => undefined);
        end(error);
        throw error;
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}
