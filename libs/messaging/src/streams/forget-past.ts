import { setTimeout as pause } from 'node:timers/promises';
import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { type StreamName, streams } from '@skein/contracts';
import { type MessagingConnection } from '../connection/messaging-connection';

/** The shortest a server takes. */
const SHORTEST_WINDOW_MS = 100;
/** Its own timer drops the ids some time after their window. */
const DROPPED_MS = 1_000;
/** What they hold is in the database, and is sent again from there. */
const DERIVED: readonly StreamName[] = ['RUNS', 'TOOLS'];

/**
 * For a database that was restored to an earlier moment, while no other process is at work: takes back runs and calls that
 * were sent since, and has the streams forget the ids of their messages. An id that is given a second time would else be
 * dropped for two minutes. RESULTS and EVENTS keep what they hold. Answers how many messages were taken back.
 */
export async function forgetPast(connection: MessagingConnection): Promise<number> {
  const manager = await jetstreamManager(connection.nats);
  let purged = 0;
  for (const name of DERIVED) purged += (await manager.streams.purge(name)).purged;
  // The names of the streams are their keys.
  await Promise.all((Object.keys(streams) as StreamName[]).map((name) => forgetIds(manager, name)));
  return purged;
}

async function forgetIds(manager: JetStreamManager, name: StreamName): Promise<void> {
  const { config } = await manager.streams.info(name);
  await manager.streams.update(name, { ...config, duplicate_window: nanos(SHORTEST_WINDOW_MS) });
  try {
    await pause(DROPPED_MS);
  } finally {
    await manager.streams.update(name, config);
  }
}
