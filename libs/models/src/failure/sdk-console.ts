import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { describeError, type Warning, WARNINGS } from '@skein/engine';
import { LruCache } from '../limiter/lru-cache';
import { withoutKeys } from './without-keys';

/** Whose SDK is at work, and what it is not to tell. */
export interface SdkAtWork {
  readonly provider: string;
  readonly keys: readonly string[];
}

const atWork = new AsyncLocalStorage<SdkAtWork>();
const warnings = channel(WARNINGS);
const LISTENS = Symbol('skein.sdk-console');

/** What was told already: an SDK says the same at each call. */
const told = new LruCache(
  () => ({ isTold: false }),
  () => false,
  100,
);
const MAX_TEXT = 500;

/**
 * What an SDK does for one request, its answer's pieces included. What it writes to the console meanwhile is a warning of
 * ours, told once and without keys; what anybody else writes there stays as it is.
 */
export async function askQuietly<T>(
  sdk: SdkAtWork,
  ask: () => Promise<AsyncIterable<T>>,
): Promise<AsyncIterable<T>> {
  listenToConsole();
  const pieces = await atWork.run(sdk, ask);
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = pieces[Symbol.asyncIterator]();
      return {
        next: () => atWork.run(sdk, () => iterator.next()),
        return: async () => {
          await atWork.run(sdk, () => iterator.return?.());
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** A console that was replaced meanwhile, as a test does, is listened to anew. */
function listenToConsole(): void {
  for (const method of ['warn', 'error'] as const) {
    if (isListening(Reflect.get(console, method))) continue;
    const write = console[method].bind(console);
    const listening = (...said: unknown[]): void => {
      const sdk = atWork.getStore();
      if (sdk) tell(sdk, said[0]);
      else write(...said);
    };
    console[method] = Object.assign(listening, { [LISTENS]: true });
  }
}

function isListening(write: unknown): boolean {
  return typeof write === 'function' && LISTENS in write;
}

/** What follows the first thing said may be of the conversation. */
function tell({ provider, keys }: SdkAtWork, said: unknown): void {
  const words = said instanceof Error ? describeError(said) : said;
  if (typeof words !== 'string') return;
  const text = withoutKeys(words, keys).slice(0, MAX_TEXT);
  const known = told.of(text);
  if (known.isTold) return;
  known.isTold = true;
  const message = 'the SDK of a provider has something to say';
  warnings.publish({ message, fields: { provider, text } } satisfies Warning);
}
