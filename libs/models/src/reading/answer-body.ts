import { types } from 'node:util';
import { tooLarge, UnreadableAnswer } from './bad-answer';
import { BoundedValues } from './bounded-values';
import { GrowingBytes } from './growing-bytes';
import { HeldEvents } from './held-events';
import { isBrokenOff } from '../failure/read-failure';

/** What a refusal may say; the rest of it is not read. */
const MAX_REFUSAL_BYTES = 64 * 1_024;
const OTHER_FORM = "it is not in the form of the provider's API.";
const DONE = '[DONE]';
const OPEN_OBJECT = 0x7b;
const BYTE_ORDER_MARK: readonly number[] = [0xef, 0xbb, 0xbf];
const WHITE_SPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

/** How an answer is asked for. */
export interface AnswerBounds {
  readonly isStreamed: boolean;
  /** Whether the SDK goes by the names of events, and not by their data alone. */
  readonly hasNamedEvents: boolean;
  /** Unpacked. */
  readonly maxBytes: number;
}

/**
 * Makes the requests of one call to an SDK such that what comes back is within bounds: of an answer no more is read than
 * the SDK takes, whole events or JSON of no more bytes, values and levels than can be kept, and nothing behind a fault.
 */
export class AnswerBody {
  /** What was found wrong. */
  #failure: Error | undefined;
  #isRead = false;
  #isDone = false;

  constructor(private readonly bounds: AnswerBounds) {}

  /** Whether the mark behind which nothing comes was read: where a server breaks down, an SDK may end as it does there. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** `made`, whose answers are bounded. */
  fetchWith(made: typeof fetch): typeof fetch {
    return async (input, init) => {
      const response = await made(input, init);
      if (!response.ok) return refusal(response);
      return this.#failing(() => this.#answer(response));
    };
  }

  /** What is made of the answer; throws what was found wrong with it rather than what an SDK makes of that. */
  async *tellingWhy<T>(made: AsyncIterable<T>): AsyncGenerator<T, void> {
    try {
      yield* made;
    } catch (thrown) {
      throw this.#failure ?? (this.#isOfOtherForm(thrown) ? new UnreadableAnswer(OTHER_FORM) : thrown);
    }
  }

  /** What is read of an answer is where its API has it; elsewhere an SDK, or an adapter, stumbles over what is there. */
  #isOfOtherForm(thrown: unknown): boolean {
    return this.#isRead && isTypeError(thrown) && !isBrokenOff(thrown);
  }

  #answer(response: Response): Response {
    const { status, body } = response;
    if (!body || status === 204 || status === 205) throw new UnreadableAnswer(`it is empty (${status}).`);
    const { isStreamed, hasNamedEvents, maxBytes } = this.bounds;
    const bytes = boundedBytes(body, maxBytes);
    const onDone = (): void => {
      this.#isDone = true;
    };
    const read = ReadableStream.from(
      this.#telling(
        isStreamed
          ? wholeEvents(bytes, { type: typeOf(response), isNamed: hasNamedEvents, onDone })
          : boundedJson(bytes, typeOf(response)),
      ),
    );
    return respond(response, read, isStreamed ? 'text/event-stream' : 'application/json');
  }

  async *#telling(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    try {
      this.#isRead = true;
      yield* bytes;
    } catch (error) {
      this.#found(error);
      throw error;
    }
  }

  #failing<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      this.#found(error);
      throw error;
    }
  }

  #found(error: unknown): void {
    if (error instanceof Error) this.#failure = error;
  }
}

/** Also one of another realm. */
function isTypeError(thrown: unknown): boolean {
  return types.isNativeError(thrown) && thrown.name === 'TypeError';
}

async function* boundedBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let length = 0;
  for await (const bytes of body) {
    length += bytes.length;
    if (length > maxBytes) throw tooLarge(`The model's answer is larger than ${maxBytes} bytes.`);
    yield bytes;
  }
}

interface EventsToRead {
  /** As the provider says. */
  readonly type: string;
  readonly isNamed: boolean;
  /** Called before the mark behind which nothing comes is given on. */
  readonly onDone: () => void;
}

/** Each event alone, once it is whole; JSON that came in place of a stream as its one event. */
async function* wholeEvents(
  body: AsyncIterable<Uint8Array>,
  { type, isNamed, onDone }: EventsToRead,
): AsyncGenerator<Uint8Array, void> {
  const held = new HeldEvents();
  const start = new StartOfAnswer();
  const json = new GrowingBytes();
  let isAnswered = false;
  for await (const bytes of body) {
    start.add(bytes);
    if (start.isObject) {
      json.add(bytes);
      continue;
    }
    for (const { name, data } of held.add(bytes)) {
      checkEvent(data);
      isAnswered = true;
      const isLast = isDone(data);
      if (isLast) onDone();
      yield frameOf(data, isNamed ? name : '');
      // The SDK would read on, for as long as the server keeps the connection.
      if (isLast) return;
    }
  }
  if (start.isObject) yield frameOf(inOneLine(json.bytes));
  else if (!isAnswered) throw new UnreadableAnswer(`it holds no event of a stream, of type ${type}.`);
}

/** The mark behind which nothing comes. */
function isDone(data: Uint8Array): boolean {
  return data.length === DONE.length && Buffer.from(data).toString('latin1') === DONE;
}

function checkEvent(data: Uint8Array): void {
  if (isDone(data)) return;
  const start = new StartOfAnswer();
  start.add(data);
  if (!start.isObject) throw new UnreadableAnswer('an event of it is no JSON object.');
  new BoundedValues().add(data);
}

function inOneLine(json: Uint8Array): Uint8Array {
  new BoundedValues().add(json);
  // White space in JSON, but ends of lines in a stream; a byte order mark is for the whole of it.
  const line = json.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte));
  return line.subarray(line.indexOf(OPEN_OBJECT));
}

function frameOf(data: Uint8Array, name = ''): Uint8Array {
  const head = name ? `event: ${name}\ndata: ` : 'data: ';
  return Buffer.concat([Buffer.from(head), data, Buffer.from('\n\n')]);
}

/** The bytes of one JSON object. */
async function* boundedJson(body: AsyncIterable<Uint8Array>, type: string): AsyncGenerator<Uint8Array, void> {
  const values = new BoundedValues();
  const start = new StartOfAnswer();
  for await (const bytes of body) {
    start.add(bytes);
    if (start.isObject === false) throw new UnreadableAnswer(`it is no JSON object, of type ${type}.`);
    values.add(bytes);
    yield bytes;
  }
  if (start.isObject === undefined) throw new UnreadableAnswer('it is empty.');
}

/** Whether it is a JSON object's, as every answer of a provider is. */
class StartOfAnswer {
  /** Unknown while nothing but white space came. */
  isObject: boolean | undefined;
  #marks = 0;

  add(bytes: Uint8Array): void {
    if (this.isObject !== undefined) return;
    const first = bytes.find((byte) => !WHITE_SPACE.has(byte) && byte !== BYTE_ORDER_MARK[this.#marks++]);
    if (first !== undefined) this.isObject = first === OPEN_OBJECT;
  }
}

/** As the provider says, which is told of what is none of the expected. */
function typeOf({ headers }: Response): string {
  return headers.get('content-type') ?? 'unknown';
}

/** What a provider says in the place of an answer, as far as it is read; the status counts, whatever becomes of the rest. */
async function refusal(response: Response): Promise<Response> {
  const said = new GrowingBytes();
  try {
    const body: AsyncIterable<Uint8Array> = response.body ?? ReadableStream.from([]);
    for await (const bytes of body) {
      said.add(bytes.subarray(0, MAX_REFUSAL_BYTES - said.length));
      if (said.length >= MAX_REFUSAL_BYTES) break;
    }
  } catch {
    // It broke off: what came of it is told.
  }
  const text = tellable(new TextDecoder().decode(said.bytes));
  return respond(response, text, isJson(text) ? 'application/json' : 'text/plain');
}

function tellable(text: string): string {
  try {
    new BoundedValues().add(Buffer.from(text));
    return text;
  } catch {
    return 'It says why in JSON that is nested too deep to be read.';
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `response` with another body, of a type that the SDKs go by. */
function respond(
  response: Response,
  body: ConstructorParameters<typeof Response>[0],
  type: string,
): Response {
  const headers = new Headers(response.headers);
  // Of the body as it was sent.
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  headers.set('content-type', type);
  const { status, statusText } = response;
  return new Response(body, { status, statusText, headers });
}
