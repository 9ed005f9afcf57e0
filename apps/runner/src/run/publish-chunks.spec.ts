import { type Event, type Handover, type PartialFrame } from '@skein/contracts';
import { type MessagingConnection } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { aHandover } from '../../test/builders';
import { publishChunks } from './publish-chunks';

describe('streamed pieces', () => {
  it('have what is stored after them follow them, by whatever way units go', () => {
    const did: string[] = [];
    const pipeline = { lastSeq: 7, followSent: () => void did.push('units follow') };
    const connection = {
      isConnected: () => true,
      codec: {
        encodeInline: ({ n, afterSeq }: PartialFrame & { kind: 'chunk' }) =>
          Buffer.from(`${n} after ${afterSeq}`),
      },
      nats: { publish: (_subject: string, data: Uint8Array) => void did.push(Buffer.from(data).toString()) },
    } as unknown as MessagingConnection; // What is used of one.
    const handover: Handover = aHandover();
    const chunks = publishChunks(handover, pipeline, { connection, logger: silentLogger });
    const event = { id: 'e', author: 'agent', partial: true } as Event; // What is used of one.

    void chunks.publish(event);
    void chunks.publish(event);
    chunks.close();

    expect(did).toEqual(['units follow', '0 after 7', 'units follow', '1 after 7']);
  });
});
