import { AdkError } from '@skein/contracts';
import { z } from 'zod';
import { MessageCodec, PAYLOAD_HEADER } from './message-codec';
import { PayloadStore } from './payload-store';

class MemoryPayloads extends PayloadStore {
  readonly stored = new Map<string, Uint8Array>();

  override async put(bytes: Uint8Array): Promise<string> {
    const key = `k${this.stored.size}`;
    this.stored.set(key, bytes);
    return key;
  }

  override async get(key: string, maxBytes: number): Promise<Uint8Array> {
    const bytes = this.stored.get(key) ?? new Uint8Array();
    if (bytes.byteLength > maxBytes) throw new AdkError('invalid', 'payload.size', 'too large');
    return bytes;
  }

  override async collectOld(): Promise<void> {
    this.stored.clear();
  }
}

const schema = z.object({ text: z.string() });

describe('the body of a message', () => {
  const payloads = new MemoryPayloads();
  const codec = new MessageCodec(payloads, 100);

  function received({ data, headers }: { data: Uint8Array; headers: Readonly<Record<string, string>> }) {
    return { data, headers: { get: (name: string) => headers[name] ?? '' } };
  }

  it('travels in the message up to the limit, and by reference above it', async () => {
    const small = await codec.encode({ text: 'x'.repeat(80) });
    const large = await codec.encode({ text: 'x'.repeat(101) });

    expect(small.headers).toEqual({});
    expect(large.data).toHaveLength(0);
    expect(large.headers[PAYLOAD_HEADER]).toMatch(/^k0;sha256=[0-9a-f]{64};size=112$/);
    expect(await codec.decode(received(small), schema)).toEqual({ text: 'x'.repeat(80) });
    expect(await codec.decode(received(large), schema)).toEqual({ text: 'x'.repeat(101) });
  });

  it("is read without its message's headers, where it came in the message", async () => {
    const { data } = await codec.encode({ text: 'x' });
    const message = {
      data,
      get headers(): never {
        throw new Error('headers were read');
      },
    };

    expect(codec.isInline(message)).toBe(true);
    expect(codec.decodeInline(message, schema)).toEqual({ text: 'x' });
  });

  it('is refused when the stored bytes are not those that were sent', async () => {
    const large = await codec.encode({ text: 'y'.repeat(200) });
    payloads.stored.set('k1', Buffer.from(JSON.stringify({ text: 'z'.repeat(200) })));

    await expect(codec.decode(received(large), schema)).rejects.toMatchObject({ code: 'payload.hash' });
  });

  it('is refused before it is read when it says that it is larger than 128 MiB', async () => {
    const header = `k0;sha256=${'a'.repeat(64)};size=${129 * 1024 * 1024}`;
    const message = received({ data: new Uint8Array(), headers: { [PAYLOAD_HEADER]: header } });

    await expect(codec.decode(message, schema)).rejects.toMatchObject({ code: 'payload.size' });
  });

  it.each([1, 1_000])('is refused when it is not of the size that was told: %i bytes', async (told) => {
    const { data, headers } = await codec.encode({ text: 'y'.repeat(200) });
    const reference = headers[PAYLOAD_HEADER]?.replace(/size=\d+/, `size=${told}`) ?? '';

    const decoded = codec.decode(received({ data, headers: { [PAYLOAD_HEADER]: reference } }), schema);

    await expect(decoded).rejects.toMatchObject({ code: 'payload.size' });
  });

  it('counts nothing as null', async () => {
    const encoded = await codec.encode(undefined);

    expect(await codec.decode(received(encoded), z.null())).toBeNull();
  });

  describe('row 9: that is nested too deep, as by a worker’s progress', () => {
    const deep = Buffer.from(`{"text":"x","value":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const message = received({ data: deep, headers: {} });

    it('is refused, whatever its schema leaves out', async () => {
      await expect(codec.decode(message, schema)).rejects.toMatchObject({
        kind: 'invalid',
        code: 'message.too-deep',
      });
    });

    it('is taken as what is made of the rest of it, where its reader makes something', async () => {
      const salvage = (refused: unknown) => schema.safeParse(refused).data;

      expect(await codec.decode(message, schema, salvage)).toEqual({ text: 'x' });
    });
  });

  it('says where it does not fit', async () => {
    const message = received({ data: Buffer.from('{"text":1}'), headers: {} });

    await expect(codec.decode(message, schema)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'message.shape',
      details: { issues: [{ path: 'text' }] },
    });
  });
});
