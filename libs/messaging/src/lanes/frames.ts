/**
 * What goes over a lane: `serves` says which subjects its sender answers, `request` asks, `reply` answers, and `unserved` says that
 * nobody has carried the request out, and nobody will.
 */
const KINDS = ['serves', 'request', 'reply', 'unserved'] as const;
export type FrameKind = (typeof KINDS)[number];

export interface Frame {
  readonly kind: FrameKind;
  /** Of the request that this asks or answers; 0 for the others. */
  readonly id: number;
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: Uint8Array;
}

/** Bytes of the length, and of what stands before the subject: kind, id, and the lengths of subject and headers. */
const LENGTH_BYTES = 4;
const FIXED_BYTES = 1 + 4 + 2 + 4;
/** Above what NATS would carry: larger bodies travel by reference. */
const MAX_FRAME_BYTES = 2 * 1024 * 1024;
const NO_HEADERS: Frame['headers'] = {};
const NO_BYTES = Buffer.alloc(0);

export function encodeFrame({ kind, id, subject, headers, data }: Frame): Buffer {
  const names = headersText(headers);
  const [subjectBytes, headersBytes] = [Buffer.byteLength(subject), Buffer.byteLength(names)];
  const length = FIXED_BYTES + subjectBytes + headersBytes + data.byteLength;
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + length);
  let at = bytes.writeUInt32LE(length);
  at = bytes.writeUInt8(KINDS.indexOf(kind), at);
  at = bytes.writeUInt32LE(id, at);
  at = bytes.writeUInt16LE(subjectBytes, at);
  at = bytes.writeUInt32LE(headersBytes, at);
  at += bytes.write(subject, at);
  at += bytes.write(names, at);
  bytes.set(data, at);
  return bytes;
}

/** Puts frames together from what a socket reads. */
export class FrameReader {
  #rest: Buffer = NO_BYTES;

  /** The frames that these bytes complete. Throws for what is no frame, and reads nothing more of such a socket. */
  read(bytes: Buffer): Frame[] {
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    while (rest.length >= LENGTH_BYTES) {
      const length = rest.readUInt32LE();
      if (length < FIXED_BYTES || length > MAX_FRAME_BYTES) throw new Error(`no frame has ${length} bytes`);
      if (rest.length < LENGTH_BYTES + length) break;
      frames.push(decodeFrame(rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
      rest = rest.subarray(LENGTH_BYTES + length);
    }
    this.#rest = rest;
    return frames;
  }
}

function decodeFrame(bytes: Buffer): Frame {
  const kind = KINDS[bytes.readUInt8()];
  if (kind === undefined) throw new Error(`no frame is of kind ${bytes.readUInt8()}`);
  const id = bytes.readUInt32LE(1);
  const headersAt = FIXED_BYTES + bytes.readUInt16LE(5);
  const dataAt = headersAt + bytes.readUInt32LE(7);
  if (dataAt > bytes.length) throw new Error('a frame ends before its body');
  return {
    kind,
    id,
    subject: bytes.toString('utf8', FIXED_BYTES, headersAt),
    headers: headersAt === dataAt ? NO_HEADERS : parseHeaders(bytes.toString('utf8', headersAt, dataAt)),
    data: bytes.subarray(dataAt),
  };
}

function headersText(headers: Frame['headers']): string {
  for (const _name in headers) return JSON.stringify(headers);
  return '';
}

function parseHeaders(text: string): Frame['headers'] {
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('headers are an object');
  return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
}
