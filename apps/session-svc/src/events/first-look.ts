import { retryAtStart, type RetryAtStart } from '@skein/platform';
import { type StreamWatch } from './stream-watch';

type Options = Pick<RetryAtStart<void>, 'where' | 'logger' | 'attempts' | 'firstDelayMs'>;

/** The look at the streams that must come before anything is sent; with patience, as with all that is met at a start. */
export async function firstLook(streams: Pick<StreamWatch, 'look'>, options: Options): Promise<void> {
  await retryAtStart({ ...options, what: 'The streams', attempt: () => streams.look() });
}
