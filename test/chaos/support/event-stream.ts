import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { subjects } from '@skein/contracts';
import { parseNatsServers } from '@skein/messaging';
import { z } from 'zod';

const published = z.object({ seq: z.number() });

/** The `seq` of every event a session has in the EVENTS stream, in the stream's order: what a subscriber reads. */
export async function publishedSeqs(natsUrl: string, sessionId: string, app = 'errands'): Promise<number[]> {
  const nats = await connect({ ...parseNatsServers(natsUrl), timeout: 5_000, reconnect: false });
  try {
    const manager = await jetstreamManager(nats);
    const subject = subjects.event({ appName: app, userId: 'ada', sessionId });
    const { state } = await manager.streams.info('EVENTS', { subjects_filter: subject });
    const count = state.subjects?.[subject] ?? 0;
    const consumer = await jetstream(nats).consumers.get('EVENTS', { filter_subjects: subject });
    const seqs: number[] = [];
    while (seqs.length < count) {
      const message = await consumer.next({ expires: 5_000 });
      if (!message) throw new Error(`the stream gave ${seqs.length} of ${count} events`);
      seqs.push(published.parse(message.json()).seq);
    }
    return seqs;
  } finally {
    await nats.close();
  }
}

/** 1 to `last`. */
export function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}
