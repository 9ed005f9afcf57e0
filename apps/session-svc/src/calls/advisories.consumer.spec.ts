import { type Advisory, toolQueue } from '@skein/contracts';
import { type Delivery } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { AdvisoriesConsumer, type AdvisoriesParts } from './advisories.consumer';

const ID = `d-${'1'.repeat(32)}`;

/** A worker refused the message of a call that left while it was stored; what that comes to at its n-th delivery. */
async function refusedNth(deliveryCount: number, isStored: boolean | undefined) {
  const asked: unknown[] = [];
  const consumer = new AdvisoriesConsumer({
    pool: { query: async ({ name }: { readonly name: string }) => (asked.push(name), { rows: [] }) },
    passes: { isStored: async (claims: unknown) => (asked.push(claims), isStored) },
    logger: silentLogger,
  } as unknown as AdvisoriesParts); // The rest is for calls that are there.
  const advisory = {
    ...{ type: 'io.nats.jetstream.advisory.v1.terminated', stream: 'TOOLS', stream_seq: 1, deliveries: 1 },
    ...{ consumer: toolQueue('default').durable, reason: `${ID}.1.ahead.17 message.shape: no call` },
  } as Advisory;
  const ended = consumer.take(advisory, { deliveryCount } as Delivery).then(
    () => 'done',
    (error: unknown) => error,
  );
  return { ended: await ended, asked };
}

describe('a call that left while it was stored, and that its worker refused', () => {
  const claims = { dispatchId: ID, attempt: 1, deadlineMs: 17 };

  it('is looked at again for as long as it may yet be stored', async () => {
    expect(await refusedNth(5, undefined)).toMatchObject({
      ended: { code: 'call.early', kind: 'unavailable' },
    });
    expect(await refusedNth(6, undefined)).toEqual({ ended: 'done', asked: [claims] });
  });

  it('ends no other call that was stored under its id', async () => {
    expect(await refusedNth(1, false)).toEqual({ ended: 'done', asked: [claims] });
  });

  it('is ended where it is the one that was', async () => {
    expect((await refusedNth(1, true)).asked).toEqual([claims, expect.any(String)]);
  });
});
