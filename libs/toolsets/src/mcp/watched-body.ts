import { AdkError } from '@skein/contracts';

export interface BodyWatch {
  /** The most bytes of one message. */
  readonly maxMessageBytes: number;
  /** Called once, when no more comes. */
  readonly onEnd: (end: BodyEnd) => void;
}

export interface BodyEnd {
  /** The server numbered its events, and may give the rest of them to who asks. */
  readonly isResumable: boolean;
  readonly error?: unknown;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The same bytes, until one message among them is too large: the reader then gets `mcp.too-large`. */
export function watchedBody(
  body: ReadableStream<Uint8Array>,
  { maxMessageBytes, onEnd }: BodyWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let messageBytes = 0;
  let isResumable = false;
  let hasEnded = false;
  const end = (error?: unknown): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd({ isResumable, error });
  };
  const count = (chunk: Uint8Array): void => {
    const at = endOfMessage(chunk);
    messageBytes = at === undefined ? messageBytes + chunk.byteLength : chunk.byteLength - at;
    isResumable ||= /(^|\n)id:/.test(Buffer.from(chunk).toString('latin1'));
    if (messageBytes > maxMessageBytes) throw tooLarge(maxMessageBytes);
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
        count(value);
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

/** Behind the last empty line, which ends an event; nothing where there is none. */
function endOfMessage(chunk: Uint8Array): number | undefined {
  for (let at = chunk.lastIndexOf(LINE_FEED); at > 0; at = chunk.lastIndexOf(LINE_FEED, at - 1)) {
    const before = chunk[at - 1] === CARRIAGE_RETURN ? at - 2 : at - 1;
    if (chunk[before] === LINE_FEED) return at + 1;
  }
  return undefined;
}

function tooLarge(maxBytes: number): AdkError {
  return new AdkError(
    'invalid',
    'mcp.too-large',
    `The MCP server sent a message larger than ${maxBytes} bytes.`,
  );
}
