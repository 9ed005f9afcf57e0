import { createHash } from 'node:crypto';
import { AdkError, MAX_WIRE_DEPTH, parseChecked } from '@skein/contracts';
import { z } from 'zod';
import { cutDeep } from './cut-deep';
import { formatReference, parseReference, type PayloadReference } from './payload-reference';
import { MAX_PAYLOAD_BYTES, type PayloadStore } from './payload-store';

export const PAYLOAD_HEADER = 'Skein-Payload';

const NO_HEADERS: EncodedMessage['headers'] = {};

/** A message as it goes over the wire: its body, or a header that says where the body lies. */
export interface EncodedMessage {
  readonly data: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ReceivedMessage {
  readonly data: Uint8Array;
  readonly headers?: { get(name: string): string } | undefined;
}

/** What to take in the place of a body that is refused, as far as it could be read; it is refused where this gives nothing. */
export type Salvage<Body> = (refused: unknown) => Body | undefined;

/** Bodies of every kind of message, as JSON; above the limit by reference, because NATS refuses more than 1 MiB. */
export class MessageCodec {
  constructor(
    private readonly payloads: PayloadStore,
    private readonly limitBytes: number,
  ) {}

  /** At once where the body goes in the message; a promise where it is put into the payload store. */
  encode(body: unknown): EncodedMessage | Promise<EncodedMessage> {
    const data = bytesOf(body);
    return data.byteLength <= this.limitBytes ? { data, headers: NO_HEADERS } : this.#putAside(data);
  }

  async #putAside(data: Buffer): Promise<EncodedMessage> {
    if (data.byteLength > MAX_PAYLOAD_BYTES) {
      throw new AdkError('invalid', 'payload.size', `a message of ${data.byteLength} bytes is too large`);
    }
    const key = await this.payloads.put(data);
    const reference = { key, sha256: sha256(data), sizeBytes: data.byteLength };
    return { data: Buffer.alloc(0), headers: { [PAYLOAD_HEADER]: formatReference(reference) } };
  }

  /** As `encode`, at once, for a body that fits into the message itself; nothing for one that does not. */
  encodeInline(body: unknown): Uint8Array | undefined {
    const data = bytesOf(body);
    return data.byteLength <= this.limitBytes ? data : undefined;
  }

  /**
   * The body as the schema gives it. Rejects with `message.json`, `message.too-deep` or `message.shape` for one that does
   * not fit, and that nothing is taken in the place of.
   */
  async decode<Schema extends z.ZodType>(
    message: ReceivedMessage,
    schema: Schema,
    salvage?: Salvage<z.output<Schema>>,
  ): Promise<z.output<Schema>> {
    const text = referenceIn(message);
    const bytes = text ? await this.#fetch(parseReference(text)) : message.data;
    return read(bytes, schema, salvage);
  }

  /** As `decode`, at once, for a message that `isInline`. */
  decodeInline<Schema extends z.ZodType>({ data }: ReceivedMessage, schema: Schema): z.output<Schema> {
    return read(data, schema);
  }

  /** How large the body is, wherever it lies. */
  sizeOf(message: ReceivedMessage): number {
    const text = referenceIn(message);
    return text ? parseReference(text).sizeBytes : message.data.byteLength;
  }

  /** Whether the body lies in the message itself: decoding it then reads nothing from anywhere. */
  isInline(message: ReceivedMessage): boolean {
    return !referenceIn(message);
  }

  async #fetch({ key, sha256: expected, sizeBytes }: PayloadReference): Promise<Uint8Array> {
    if (sizeBytes > MAX_PAYLOAD_BYTES) {
      throw new AdkError('invalid', 'payload.size', `a payload of ${sizeBytes} bytes is too large`);
    }
    // What is bounded before it is read is bounded by the size that its sender told.
    const bytes = await this.payloads.get(key, sizeBytes);
    if (bytes.byteLength !== sizeBytes) {
      throw new AdkError(
        'invalid',
        'payload.size',
        `payload ${key} is not of the ${sizeBytes} bytes it was to have`,
      );
    }
    if (sha256(bytes) !== expected) {
      throw new AdkError('invalid', 'payload.hash', `payload ${key} is not what was sent`);
    }
    return bytes;
  }
}

/**
 * Only of what came without a body: the client reads a message's headers when they are asked for, taking the message apart
 * here too, and most have a body.
 */
function referenceIn(message: ReceivedMessage): string | undefined {
  return message.data.byteLength > 0 ? undefined : message.headers?.get(PAYLOAD_HEADER);
}

function bytesOf(body: unknown): Buffer {
  return Buffer.from(JSON.stringify(body ?? null));
}

function read<Schema extends z.ZodType>(
  bytes: Uint8Array,
  schema: Schema,
  salvage?: Salvage<z.output<Schema>>,
): z.output<Schema> {
  const shallow = cutDeep(bytes);
  const body = parseJson(shallow);
  const parsed = shallow === bytes ? parseChecked(schema, body) : undefined;
  if (parsed?.success === true) return parsed.data;
  const instead = salvage?.(body);
  if (instead !== undefined) return instead;
  throw parsed ? misfit(parsed.error) : tooDeep();
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch (cause) {
    throw new AdkError('invalid', 'message.json', 'the message is not JSON', { cause });
  }
}

function misfit(error: z.ZodError): AdkError {
  const issues = error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const reason = `the message does not fit: ${z.prettifyError(error)}`;
  return new AdkError('invalid', 'message.shape', reason, { details: { issues } });
}

function tooDeep(): AdkError {
  const reason = `the message is nested deeper than ${MAX_WIRE_DEPTH} levels`;
  return new AdkError('invalid', 'message.too-deep', reason);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
