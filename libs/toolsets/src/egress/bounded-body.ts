import { AdkError } from '@skein/contracts';

interface Bounds {
  readonly maxBytes: number;
  /** What a broken stream says to its reader. */
  readonly errorOf: (thrown: unknown) => unknown;
  /** Called once the body is read, given up or broken. */
  readonly onEnd: () => void;
}

type Body = ReadableStream<Uint8Array>;

/** The same bytes, unpacked as they come, until there are too many: the reader then gets `egress.too-large`. */
export function boundedBody(body: Body, bounds: Bounds): Body {
  const reader = body.getReader();
  let bytes = 0;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    const { done, value } = await reader.read();
    if (done) {
      bounds.onEnd();
      controller.close();
      return;
    }
    bytes += value.byteLength;
    if (bytes > bounds.maxBytes) throw tooLarge(bounds.maxBytes);
    controller.enqueue(value);
  };
  const giveUp = async (reason: unknown): Promise<void> => {
    bounds.onEnd();
    await reader.cancel(reason);
  };
  return new ReadableStream<Uint8Array>({
    pull: (controller) =>
      pull(controller).catch(async (thrown: unknown) => {
        // A body that broke by itself cannot be given up any more.
        await giveUp(thrown).catch(() => undefined);
        throw bounds.errorOf(thrown);
      }),
    cancel: giveUp,
  });
}

export function tooLarge(maxBytes: number): AdkError {
  return new AdkError('invalid', 'egress.too-large', `The answer is larger than ${maxBytes} bytes.`);
}
