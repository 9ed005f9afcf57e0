import type { SessionKey } from '@skein/contracts';
import type { SessionApi } from '../session-api';
import type { SessionFeed } from '../session-feed';
import { Inbox } from './inbox';
import type { LeaveSignal } from './leave-signal';
import type { Shown } from './stream-order';
import { type RunOutcome, StreamReader, type StreamReaderOptions } from './stream-reader';

/** What streams are read from. A class, because Nest injects by type. */
export abstract class StreamPorts {
  abstract readonly api: SessionApi;
  abstract readonly feed: SessionFeed;
}

export interface OpenedStream<Found> {
  readonly found: Found;
  /** Everything to show, in order, in lots; returns when what is followed came to rest and all of it was yielded. */
  readonly shown: AsyncGenerator<readonly Shown[], RunOutcome>;
}

/**
 * Listens to a session, and only then finds out what to follow, so that no event falls between. Abort `signal` when
 * nobody reads any more; what is followed goes on.
 */
export async function listenFirst<Found>(
  ports: StreamPorts,
  key: SessionKey,
  signal: LeaveSignal,
  find: () => Promise<StreamReaderOptions & { readonly found: Found }>,
): Promise<OpenedStream<Found>> {
  const inbox = new Inbox();
  const subscription = ports.feed.open(key, (message, sizeBytes) => inbox.push(message, sizeBytes));
  const close = () => {
    subscription.close();
    inbox.close();
  };
  signal.addEventListener('abort', close);
  // A signal that was aborted before it was listened to tells nobody any more.
  if (signal.aborted) close();
  try {
    const { found, ...options } = await find();
    const reader = new StreamReader(ports.api, inbox, signal, options);
    return { found, shown: reader.read(close) };
  } catch (error) {
    close();
    throw error;
  }
}

/** A key and no more: requests hold fields beside it that the store would refuse. */
export function keyOf({ appName, userId, sessionId }: SessionKey): SessionKey {
  return { appName, userId, sessionId };
}
