import { encodeFrame, type Frame, FrameReader } from './frames';

const aFrame = (frame: Partial<Frame> = {}): Frame => ({
  kind: 'request',
  id: 7,
  subject: 'rpc.session.append',
  headers: {},
  data: Buffer.from('{"text":"Grüße"}'),
  ...frame,
});

const plain = ({ data, ...frame }: Frame) => ({ ...frame, text: Buffer.from(data).toString() });

describe('frames of a lane', () => {
  it('are put together from whatever pieces come', () => {
    const sent = [
      aFrame(),
      aFrame({ kind: 'reply', id: 4_294_967_295, subject: '', headers: { traceparent: '00-ä', two: '2' } }),
      aFrame({ kind: 'unserved', subject: '', data: new Uint8Array() }),
      aFrame({ kind: 'serves', id: 0, subject: '', data: Buffer.from('work.a\nwork.b') }),
    ];
    const bytes = Buffer.concat(sent.map(encodeFrame));

    for (const size of [1, 2, 3, 5, 16, 17, 64, bytes.length]) {
      const reader = new FrameReader();
      const read: Frame[] = [];
      for (let at = 0; at < bytes.length; at += size)
        read.push(...reader.read(bytes.subarray(at, at + size)));
      expect(read.map(plain)).toEqual(sent.map(plain));
    }
  });

  it.each([
    ['a length that no frame has', (bytes: Buffer) => bytes.writeUInt32LE(3)],
    ['a length above the bound', (bytes: Buffer) => bytes.writeUInt32LE(2 ** 31)],
    ['a kind that there is not', (bytes: Buffer) => bytes.writeUInt8(9, 4)],
    ['a subject that ends behind its frame', (bytes: Buffer) => bytes.writeUInt16LE(60_000, 9)],
    ['headers that end behind their frame', (bytes: Buffer) => bytes.writeUInt32LE(60_000, 11)],
    ['headers that are no JSON', (bytes: Buffer) => bytes.write('x', bytes.indexOf('{"a"'))],
  ])('refuse %s', (_what, spoil) => {
    const bytes = encodeFrame(aFrame({ headers: { a: 'b' } }));
    spoil(bytes);

    expect(() => new FrameReader().read(bytes)).toThrow();
  });
});
