import { AdkError } from '@skein/contracts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Counts the bytes of the message that is passing: of a stream of events the one that has not ended yet, else the whole body. */
export class MessageMeter {
  #messageBytes = 0;
  /** Nothing is on the line so far, so that its end is the end of an event. */
  #isBlank = true;

  constructor(
    private readonly maxBytes: number,
    private readonly isEvents: boolean,
  ) {}

  /** Throws `mcp.too-large` as soon as the message is. */
  pass(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.byteLength) {
      const end = this.isEvents ? chunk.indexOf(LINE_FEED, from) + 1 : 0;
      this.#passLine(chunk.subarray(from, end || undefined), end > 0);
      from = end || chunk.byteLength;
    }
  }

  #passLine(bytes: Uint8Array, isEnded: boolean): void {
    this.#messageBytes += bytes.byteLength;
    if (this.#messageBytes > this.maxBytes) throw tooLarge(this.maxBytes);
    this.#isBlank &&= bytes.every((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
    if (!isEnded) return;
    if (this.#isBlank) this.#messageBytes = 0;
    this.#isBlank = true;
  }
}

function tooLarge(maxBytes: number): AdkError {
  return new AdkError(
    'invalid',
    'mcp.too-large',
    `The MCP server sent a message larger than ${maxBytes} bytes.`,
  );
}
