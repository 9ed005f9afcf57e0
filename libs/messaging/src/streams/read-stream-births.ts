import { jetstreamManager } from '@nats-io/jetstream';
import { type StreamName } from '@skein/contracts';
import { type MessagingConnection } from '../connection/messaging-connection';
import { isStreamMissing } from './is-stream-missing';
import { ensureStreams } from './provision-streams';

/** When a stream was created, as the server wrote it: another text means another stream, whose past is empty. */
export interface StreamBirth {
  readonly name: StreamName;
  readonly created: string;
}

/** The births of these streams; one that is missing is made first. A restart of the server changes none. */
export async function readStreamBirths(
  connection: MessagingConnection,
  names: readonly StreamName[],
): Promise<StreamBirth[]> {
  try {
    return await read(connection, names);
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
    await ensureStreams(connection);
    return read(connection, names);
  }
}

async function read(connection: MessagingConnection, names: readonly StreamName[]): Promise<StreamBirth[]> {
  const { streams } = await jetstreamManager(connection.nats, { checkAPI: false });
  return Promise.all(names.map(async (name) => ({ name, created: (await streams.info(name)).created })));
}
