import { JetStreamApiError, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { AdkError, coreTrees } from '@skein/contracts';
import { retryAtStart } from '@skein/platform';
import { type MessagingConnection } from '../connection/messaging-connection';
import { isStreamMissing } from './is-stream-missing';
import { type OwnStreamConfig, streamConfigs } from './stream-configs';
import { subjectsCollide } from './subjects-collide';

/**
 * Creates the streams that are missing; call it at start, from any number of processes. A stream that is there with
 * another configuration, or that captures what is not for streams, stops the boot with `messaging.stream-conflict`:
 * another deployment on the same server would lose its messages to us, or we ours to it.
 */
export async function provisionStreams(connection: MessagingConnection): Promise<void> {
  await retryAtStart({
    what: 'JetStream',
    where: connection.nats.getServer(),
    logger: connection.logger,
    isRetryable: (error) => !AdkError.isInstance(error),
    attempt: async () => {
      await ensureStreams(connection);
      await refuseCapturedRequests(connection);
    },
  });
}

/** Creates the streams that are missing, now: also what a consumer does when its stream vanished. */
export async function ensureStreams(connection: MessagingConnection): Promise<void> {
  const manager = await jetstreamManager(connection.nats);
  for (const config of streamConfigs) await ensureStream(manager, config);
}

async function ensureStream(manager: JetStreamManager, wanted: OwnStreamConfig): Promise<void> {
  const found = await findStream(manager, wanted.name);
  if (found) refuseDifference(found, wanted);
  else await createStream(manager, wanted);
}

async function findStream(manager: JetStreamManager, name: string): Promise<OwnStreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (isStreamMissing(error)) return undefined;
    throw error;
  }
}

async function createStream(manager: JetStreamManager, wanted: OwnStreamConfig): Promise<void> {
  try {
    await manager.streams.add(wanted);
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    // Another process may have been faster: then the two have to agree.
    const found = await findStream(manager, wanted.name);
    if (!found) {
      const inTheWay = await streamsOn(manager, wanted.subjects);
      throw streamConflict(`stream ${wanted.name} cannot be created: ${error.message}${inTheWay}`, error);
    }
    refuseDifference(found, wanted);
  }
}

/** Whose subjects overlap with ours: the server does not say. */
async function streamsOn(manager: JetStreamManager, subjects: readonly string[]): Promise<string> {
  const found: string[] = [];
  for await (const { config } of manager.streams.list()) {
    const taken = config.subjects.filter((theirs) => subjects.some((ours) => subjectsCollide(theirs, ours)));
    if (taken.length > 0) found.push(`stream ${config.name} captures ${taken.join(', ')}`);
  }
  return found.map((one) => `; ${one}`).join('');
}

function refuseDifference(found: OwnStreamConfig, wanted: OwnStreamConfig): void {
  const differences = Object.entries(wanted)
    .map(([key, value]) => ({
      key,
      is: JSON.stringify(found[key as keyof OwnStreamConfig]),
      should: JSON.stringify(value),
    }))
    .filter(({ is, should }) => is !== should)
    .map(({ key, is, should }) => `${key} is ${is}, but should be ${should}`);
  if (differences.length > 0) throw streamConflict(`stream ${wanted.name}: ${differences.join('; ')}`);
}

/** A request on a captured subject is answered by the stream's PubAck, long before the service answers. */
async function refuseCapturedRequests(connection: MessagingConnection): Promise<void> {
  const manager = await jetstreamManager(connection.nats);
  for await (const { config } of manager.streams.list()) {
    const captured = coreTrees.find((tree) =>
      config.subjects.some((subject) => subjectsCollide(subject, `${tree}.>`)),
    );
    if (captured) {
      throw streamConflict(
        `stream ${config.name} captures ${config.subjects.join(', ')}, but nothing below ${captured} may be captured: ` +
          `requests there would be answered by the stream`,
      );
    }
  }
}

function streamConflict(message: string, cause?: unknown): AdkError {
  return new AdkError('conflict', 'messaging.stream-conflict', message, { cause });
}
